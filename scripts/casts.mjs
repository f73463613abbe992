// Refuses what switches the type checker off: casts, any, non-null marks, and comments that silence a tool.
import { fileURLToPath } from "node:url";
import { lineAt, parseSource, readSources, walk } from "./sources.mjs";

const isConst = (type) => type.type === "TSTypeReference" && type.typeName.name === "const";

function refusal(node) {
  switch (node.type) {
    case "TSAsExpression":
    case "TSTypeAssertion":
      return isConst(node.typeAnnotation) ? null : "a cast: use satisfies, a type guard or a parse";
    case "TSNonNullExpression":
      return "a non-null mark (!): test for it";
    case "TSAnyKeyword":
      return "any: use unknown and narrow it";
    case "PropertyDefinition":
    case "VariableDeclarator":
      return node.definite ? "a definite mark (!): give it a value" : null;
    default:
      return null;
  }
}

const silencer = /@ts-(ignore|expect-error|nocheck)\b|\bbiome-ignore/;

/**
 * @param {{ file: string, text: string }[]} sources
 * @returns {string[]} one "file:line what" for each place
 */
export function checkCasts(sources) {
  const problems = [];
  for (const source of sources) {
    const { program, comments } = parseSource(source);
    const places = [];
    walk(program, (node) => {
      const reason = refusal(node);
      if (reason) places.push({ line: lineAt(source.text, node.start), reason });
    });
    for (const { value, start } of comments) {
      const [what] = silencer.exec(value) ?? [];
      if (what) places.push({ line: lineAt(source.text, start), reason: `${what}: mend what it would hide` });
    }
    places.sort((one, other) => one.line - other.line);
    for (const { line, reason } of places) problems.push(`${source.file}:${line} ${reason}`);
  }
  return problems;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const problems = checkCasts(await readSources(["electron", "renderer"]));
  for (const problem of problems) console.error(problem);
  process.exitCode = problems.length > 0 ? 1 : 0;
}
