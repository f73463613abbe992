// The app inside a bare Electron (one without the default app): it starts the app whose folder LONGSIGHT_APP names, so that
// several checkouts share one Electron. Read by Electron 22 (Node 16), hence CommonJS.

const main = `"use strict";
const { join, resolve } = require("node:path");
const { app } = require("electron");

const folder = process.env.LONGSIGHT_APP;
if (!folder) {
  console.error("Set LONGSIGHT_APP to the folder of the app to start.");
  app.exit(2);
} else {
  const place = resolve(folder);
  const about = require(join(place, "package.json"));
  const name = about.productName || about.name;
  app.setName(name);
  app.setVersion(about.version);
  app.setAppPath(place);
  app.setPath("userData", join(app.getPath("appData"), name));
  require(join(place, about.main));
}
`;

/** The launcher's files by name, to be put at resources/app. */
export const launcherFiles = {
  "package.json": `${JSON.stringify({ name: "longsight-launcher", version: "1.0.0", main: "main.js" })}\n`,
  "main.js": main,
};
