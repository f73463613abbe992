// Leaves a trace of each time that it is loaded.
const { value } = await window.longsight.shell("getSettings", {});
const loads = Number(value.lastConversation ?? 0) + 1;
await window.longsight.shell("changeSettings", { lastConversation: String(loads) });
