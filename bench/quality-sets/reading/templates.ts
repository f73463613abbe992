import { z } from "zod";
import { UsageError } from "../../quality/options.ts";
import { readSet } from "../sources.ts";
import type { PromptText } from "../task.ts";

/** A prompt with the places `{context}` and `{input}`. */
export type Template = string;

/**
 * LongBench's prompts by the names of its tasks.
 * @throws UsageError where the file is missing or of another form
 */
export async function readTemplates(dataFolder: string): Promise<(name: string) => Template> {
  const text = await readSet(dataFolder, "longbench/dataset2prompt.json");
  const all = z.record(z.string(), z.string().includes("{context}")).safeParse(parsed(text)).data;
  return (name) => {
    const template = all?.[name];
    if (template === undefined) throw new UsageError(`The prompts of longbench/dataset2prompt.json have none for ${name}, or are damaged.`);
    return template;
  };
}

/** A template filled in; what stands in the context is never read as a place. */
export function fillTemplate(template: Template, context: string, input: string): PromptText {
  const [head = "", question = ""] = template.split("{context}");
  return { head, context, question: question.split("{input}").join(input), opening: "" };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Of sets that have no prompt of their own in LongBench. */
export const ownTemplates = {
  story:
    "You are given a story and a question about it.\n\nStory: {context}\n\nNow answer the question about the story in one paragraph.\n\nQuestion: {input}\n\nAnswer:",
  instruction: "You are given a text and an instruction.\n\nText: {context}\n\nNow follow the instruction for the text above.\n\n{input}\n",
  choice:
    "Read the following text and answer a question with choices.\n\n{context}\n\nNow answer the question by the text above with nothing but the letter of the right choice, or the letters where several are right.\n\n{input}\n\nAnswer:",
  trueFalse:
    "Read the following text and judge a statement.\n\n{context}\n\nNow answer with nothing but True or False, by the text above.\n\n{input}\n\nAnswer:",
  yesNoMaybe:
    "Read the following abstracts and answer a question.\n\n{context}\n\nNow answer by the abstract that the question is about, with nothing but yes, no or maybe.\n\nQuestion: {input}\nAnswer:",
  examples: "{context}\n\n{input}",
  lookUp:
    'Find the value of a key in the JSON object below.\n\nJSON data:\n{context}\n\nKey: "{input}"\nWhat is the value of that key? Answer with the value alone.',
} as const satisfies Readonly<Record<string, Template>>;
