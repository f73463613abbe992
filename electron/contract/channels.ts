// Names that cross processes as plain text. Apart from the schemas, so that the preload script is a few lines without zod.

/** Own scheme of the window's files; its only host. Nothing else may be navigated to. */
export const appScheme = "longsight";
export const appHost = "app";
export const appOrigin = `${appScheme}://${appHost}`;

/** Names of the ipc channels between preload and main. */
export const channels = { shell: "longsight:shell", shellEvent: "longsight:shell-event", engineCall: "longsight:engine-call" } as const;

/** `window.postMessage` type with which the page hands an engine call and its port to the preload script. */
export const engineCallMessage = "longsight:engine-call";
