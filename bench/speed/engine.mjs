// A process of the bench `speed` that runs the app's own engine: what it is to do comes as JSON, what came of it goes to standard output.
import { runBench } from "../quality/run.mjs";

process.exitCode = await runBench("speed/engine");
