import sys

from longsight_training.command_line import main

sys.exit(main(sys.argv[1:]))
