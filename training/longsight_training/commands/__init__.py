"""The commands. Each file's add() says what a command takes; PyTorch is imported only where one that needs it runs."""
