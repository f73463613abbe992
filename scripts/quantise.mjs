// Converts a model's weights with the native part: node scripts/quantise.mjs SOURCE TARGET TYPE THREADS
// A process of its own, because a failure in native code ends the process it is in.
import { getLlama } from "node-llama-cpp";

const [source, target, type, threads] = process.argv.slice(2);
const llama = await getLlama("lastBuild", { usePrebuiltBinaries: false, skipDownload: true, progressLogs: false });
const status = await llama._bindings.longsightQuantize(source, target, type, Number(threads));
if (status !== 0) console.error(`llama_model_quantize returned ${status}`);
process.exit(status === 0 ? 0 : 1);
