import type { MenuItemConstructorOptions } from "electron";
import { describe, expect, it } from "vitest";
import type { Language } from "../../../electron/contract/language.ts";
import { type MenuCommand, menuCommandSchema } from "../../../electron/contract/shell.ts";
import { menuTemplate } from "../../../electron/main/menu.ts";
import { mainTexts } from "../../../electron/main/text.ts";

function items(
  platform: NodeJS.Platform,
  send: (command: MenuCommand) => void = () => undefined,
  developer = false,
  language: Language = "en",
): MenuItemConstructorOptions[] {
  return menuTemplate({ platform, appName: "Longsight", texts: mainTexts[language], developer, send }).flatMap(({ submenu }) =>
    Array.isArray(submenu) ? submenu : [],
  );
}

describe.each(["linux", "win32", "darwin"] as const)("the menu on %s", (platform) => {
  it("offers every command of the window once, and sends it", () => {
    const sent: MenuCommand[] = [];
    for (const { id, click } of items(platform, (command) => sent.push(command))) {
      // Our commands take nothing of what Electron hands to a click.
      if (id !== undefined && click) Reflect.apply(click, undefined, []);
    }
    expect([...sent].sort()).toEqual([...menuCommandSchema.options].sort());
  });

  it("uses no shortcut twice and leaves the system's own alone, but for the one that selects less than the window", () => {
    const accelerators = items(platform).flatMap(({ accelerator }) => (accelerator === undefined ? [] : [accelerator]));
    expect(new Set(accelerators).size).toBe(accelerators.length);
    expect(accelerators).not.toEqual(expect.arrayContaining([expect.stringMatching(/^CmdOrCtrl\+[CVXZQW]$/)]));
  });

  it("says everything in German, the system's own roles as well", () => {
    const labels = (language: Language) =>
      items(platform, undefined, true, language).flatMap(({ type, label }) => (type === "separator" ? [] : [label]));
    const [english, german] = [labels("en"), labels("de")];
    expect(german).toHaveLength(english.length);
    expect(english.every((label) => label !== undefined && label !== "")).toBe(true);
    expect(german.filter((label, index) => label === undefined || label === english[index])).toEqual([]);
  });

  it("has the roles for editing and quitting, and developer tools only for developers", () => {
    const roles = (developer: boolean) => items(platform, undefined, developer).flatMap(({ role }) => (role === undefined ? [] : [role]));
    expect(roles(false)).toEqual(expect.arrayContaining(["undo", "redo", "cut", "copy", "paste", "quit"]));
    expect([roles(false).includes("toggleDevTools"), roles(true).includes("toggleDevTools")]).toEqual([false, true]);
  });
});
