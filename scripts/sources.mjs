// Reads our TypeScript for the lints below: every file, its syntax tree, its imports.
import { readFile } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { parseSync } from "vite";
import { filesBelow, root } from "./files.mjs";

/**
 * TypeScript files below folders of this checkout.
 * @param {string[]} folders relative to the checkout
 * @returns {Promise<{ file: string, text: string }[]>} file: relative, with `/`
 */
export async function readSources(folders) {
  const sources = [];
  for (const folder of folders) {
    for (const path of await filesBelow(join(root, folder), (name) => /\.[cm]?tsx?$/.test(name))) {
      sources.push({ file: relative(root, path).split(sep).join("/"), text: await readFile(path, "utf8") });
    }
  }
  return sources;
}

/**
 * @typedef {{ type: string, start: number, end: number } & Record<string, unknown>} SyntaxNode
 * @returns {{ program: SyntaxNode, comments: { value: string, start: number }[] }}
 * @throws Error naming the file where it cannot be parsed
 */
export function parseSource({ file, text }) {
  const parsed = parseSync(file, text, { sourceType: "module", lang: file.endsWith("x") ? "tsx" : "ts" });
  const [error] = parsed.errors;
  if (error) throw new Error(`${file} cannot be parsed: ${error.message}`);
  return { program: parsed.program, comments: parsed.comments };
}

/** Calls `visit` for every node of a tree, parents first. */
export function walk(node, visit) {
  if (Array.isArray(node)) {
    for (const each of node) walk(each, visit);
    return;
  }
  if (typeof node !== "object" || node === null) return;
  if (typeof node.type === "string") visit(node);
  for (const value of Object.values(node)) if (typeof value === "object" && value !== null) walk(value, visit);
}

/** 1-based line of an offset. */
export const lineAt = (text, offset) => text.slice(0, offset).split("\n").length;

const literalOf = (node) => {
  if (node?.type === "Literal" && typeof node.value === "string") return node.value;
  if (node?.type === "TSLiteralType") return literalOf(node.literal);
  if (node?.type === "TemplateLiteral" && node.expressions.length === 0) return node.quasis[0].value.cooked;
  return null;
};

/**
 * Everything that a file imports: static and type imports, re-exports, import(), import types and require().
 * @returns {{ specifier: string | null, line: number }[]} null where the name is computed
 */
export function importsOf(source) {
  const found = [];
  walk(parseSource(source).program, (node) => {
    const add = (name) => found.push({ specifier: literalOf(name), line: lineAt(source.text, node.start) });
    switch (node.type) {
      case "ImportDeclaration":
      case "ExportAllDeclaration":
      case "ImportExpression":
      case "TSImportType":
        add(node.source ?? node.argument);
        break;
      case "ExportNamedDeclaration":
        if (node.source) add(node.source);
        break;
      case "TSExternalModuleReference":
        add(node.expression);
        break;
      case "CallExpression": {
        const { callee } = node;
        const plain = callee.type === "Identifier" && callee.name === "require";
        const resolved = callee.type === "MemberExpression" && callee.object.name === "require" && callee.property.name === "resolve";
        if (plain || resolved) add(node.arguments[0]);
        break;
      }
    }
  });
  return found;
}
