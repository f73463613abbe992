import { z } from "zod";
import { UsageError } from "../quality/options.ts";
import { drawEvenly } from "./draw.ts";
import { rowF1 } from "./metrics/tableRows.ts";
import { readSet } from "./sources.ts";
import type { ScoredTask } from "./task.ts";

const pageSchema = z.object({
  task_id: z.string(),
  website_id: z.string(),
  html_path: z.string().regex(/^webpage\/[\w.-]+$/),
  task_topic: z.string(),
  task_description: z.string(),
  filtering_instruction: z.string(),
  tsv_header: z.string(),
  gt: z.string(),
});

/** LookaheadKV's share of the prompt that is kept for LongProc. */
const keptShare = 0.3;

/**
 * LongProc's HTML to TSV: the rows of a web page as a table. A page is never cut, since rows would be missing.
 * @param most pages that are looked at: those that are too long for a prompt are left out later
 * @throws UsageError where the set is missing or damaged
 */
export async function htmlToTsvTask(dataFolder: string, most: number): Promise<ScoredTask> {
  const pages = z.array(pageSchema).safeParse(parsed(await readSet(dataFolder, "longproc/html_to_tsv_small.json"))).data;
  if (pages === undefined) throw new UsageError("The data set longproc/html_to_tsv_small.json is damaged or of another form.");
  const template = userPrompt(await readSet(dataFolder, "longproc/prompts_html_to_tsv.yaml"));
  const drawn = drawEvenly(pages, ({ website_id }) => website_id, most);
  const items = await Promise.all(
    drawn.map(async (page) => {
      const html = await readSet(dataFolder, `longproc/${page.html_path}`);
      const filled = template
        .replace("{task_topic}", () => page.task_topic)
        .replace("{task_description}", () => page.task_description)
        .replace("{filtering_instruction}", () => page.filtering_instruction)
        .replace("{tsv_header}", () => page.tsv_header)
        .replace("{{Your TSV output}}", "{Your TSV output}");
      const [head = "", question = ""] = filled.split("{html_str}");
      return {
        id: page.task_id,
        gold: [page.gt],
        source: { kind: "whole" as const, text: { head, context: html, question, opening: "" } },
      };
    }),
  );
  return {
    name: "html_to_tsv",
    group: "longproc",
    answerTokens: 1024,
    score: (answer, gold) => rowF1(answer, gold[0] ?? ""),
    endsWhenRight: false,
    keptShare,
    items,
  };
}

/** The one block of text in LongProc's YAML, which stands indented by two blanks. */
function userPrompt(yaml: string): string {
  const [, block] = /^USER_PROMPT: \|-\n([\s\S]*)$/m.exec(yaml) ?? [];
  if (block === undefined || !block.includes("{html_str}"))
    throw new UsageError("The prompt longproc/prompts_html_to_tsv.yaml is damaged.");
  return block.replace(/^ {2}/gm, "").trimEnd();
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
