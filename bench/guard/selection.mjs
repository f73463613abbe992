// Writes the script that selects what is kept a given number of times, of the app's own code: for counting its instructions.
//
//   node bench/guard/selection.mjs FILE
import { build } from "esbuild";
import { bundleOptions } from "../../scripts/build.mjs";

const contents = `
import { protectedTokens } from "./electron/engine/lookahead/protect.ts";
import { selectTop } from "./electron/engine/lookahead/select.ts";
import { randomOf } from "./electron/engine/lookahead/xoshiro.ts";

const [layers, heads, tokens, budget] = [6, 3, 1024, 128];
const random = randomOf(4);
// Few tokens with most of the attention, and no function of the C library that another machine has otherwise.
const values = Float32Array.from({ length: layers * heads * tokens }, () => (1 / (1 + random() / 2 ** 22)) ** 2);
const kept = protectedTokens({ promptTokens: tokens, tailStart: tokens - 24, pinned: [{ start: 100, end: 140 }], budget });
for (let times = Number(process.argv[2]); times > 0; times--) selectTop({ layers, heads, tokens, values }, budget, kept, 7);
`;
const [, , outfile] = process.argv;
await build({ ...bundleOptions({ sourcemap: false }), stdin: { contents, resolveDir: bundleOptions().absWorkingDir }, outfile });
