import { createHash } from "node:crypto";
import type { Language } from "../../contract/language.ts";
import { escapedHtml } from "./escape.ts";

export type PageHead = {
  /** The page's language; English where none is named. */
  readonly language?: Language;
  readonly title: string;
  readonly style: string;
  /** The one script that may run. */
  readonly script?: string;
};

/**
 * A page that needs nothing else, up to its body. Nothing may be fetched, and nothing runs but the script that was put there: the text comes
 * from anywhere.
 */
export function pageHead({ language = "en", title, style, script }: PageHead): string {
  const scripts = script === undefined ? "" : ` script-src ${hashOf(script)};`;
  const policy = `default-src 'none';${scripts} style-src ${hashOf(style)}; base-uri 'none'; form-action 'none'`;
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<title>${escapedHtml(title)}</title>
<style>${style}</style>
</head>
`;
}

function hashOf(content: string): string {
  return `'sha256-${createHash("sha256").update(content).digest("base64")}'`;
}
