/** What main says: of the engine's process, of settings and of what it opens. */
export const main = {
  engineStopped: "The engine stopped: {{why}} (exit code {{code}}). Your conversations are kept. Restart the engine to go on.",
  engineNotBegun: "The engine could not start: {{why}} (exit code {{code}}). Your conversations are kept. Restart the engine to go on.",
  endCrashed: "it crashed",
  endKilled: "it was ended from outside",
  endOutOfMemory: "it ran out of memory",
  endWithError: "it ended with an error",
  endLaunchFailed: "it could not be started",
  endFilesChanged: "its files were changed",
  endUnexpected: "it ended unexpectedly",
  engineSilent: "The engine has not answered for {{seconds}} seconds. It may come back; or restart it: what was written is kept.",
  engineEnded: "The engine no longer answered and was ended. What was written is kept.",
  engineNotReady: "The engine was not ready after {{seconds}} seconds. Restart it to try again.",
  downloadAsked: "Download “{{model}}” ({{megabytes, number}} MB, {{licence}})?",
  downloadConnects:
    "Longsight will connect to this address, which may pass the download on to servers of {{servers, list}}. Nothing of yours is sent. The file is used only if it is the one that was tested, by its SHA-256.",
  settingsNotSaved: "The settings could not be saved to {{file}}. Check that there is room on the disk.",
  folderNotOpened: "The folder {{path}} could not be opened. Open it in your file manager.",
  linkNotOpened: "This link is not opened: only https addresses are.",
} as const;
