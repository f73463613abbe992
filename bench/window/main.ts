export { writeDesk, writeSettings } from "./desk.ts";
export { madePdf } from "./madePdf.ts";
export { limitMs, smoothnessOf } from "./smoothness.ts";
export { tasksBetween, traceSchema } from "./trace.ts";
