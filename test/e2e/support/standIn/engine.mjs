// An engine with faults to order (LONGSIGHT_STAND_IN), for what the real one cannot be made to do. Bundled to CommonJS.
const fault = process.env.LONGSIGHT_STAND_IN ?? "";
const { parentPort } = process;

parentPort.on("message", ({ data, ports }) => {
  switch (data.kind) {
    case "start":
      if (fault === "dies at start") process.exit(7);
      if (fault === "fails at start") {
        parentPort.postMessage({
          kind: "failed",
          problem: { code: "engine-native", message: "The native part is missing. Run npm start." },
        });
        return;
      }
      parentPort.postMessage({ kind: "ready", ...(fault === "has a notice" ? { notice: "A damaged file was put aside." } : {}) });
      if (fault === "busy") parentPort.postMessage({ kind: "busy", busy: true });
      return;
    case "call":
      answer(data.call, ports[0]);
      return;
    case "ping":
      parentPort.postMessage({ kind: "pong" });
      return;
    case "quit":
      if (fault !== "never quits") parentPort.postMessage({ kind: "quitted" });
      return;
  }
});

function answer(call, port) {
  port.on("message", ({ data }) => console.log(`message ${JSON.stringify(data)}`));
  port.on("close", () => console.log("port closed"));
  port.start();
  if (call.method === "currentModel") process.abort();
  port.postMessage({ event: "result", result: { call, environment: Object.keys(process.env) } });
}
