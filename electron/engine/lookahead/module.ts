import { type FileHandle, open, stat } from "node:fs/promises";
import { basename } from "node:path";
import { LongsightError } from "../../contract/errors.ts";
import { type Message, say } from "../../contract/said.ts";
import type { BaseFacts, GgufHeader } from "../llama/gguf.ts";
import { readRawHeader } from "../llama/ggufHeader.ts";
import { areFiniteHalves, floatsOfHalves } from "./halfFloat.ts";
import { embeddingsName, isModule, ModuleFault, type ModuleHeader, parseModuleHeader, type TensorPlace } from "./moduleHeader.ts";

/** A lookahead module, checked and read: safe to hand to llama.cpp as a LoRA. */
export type LookaheadModule = Omit<ModuleHeader, "tensors"> & {
  readonly path: string;
  /** False for one that has learned nothing. */
  readonly trained: boolean;
  /** `[tokens × base.embeddingWidth]`, one after the other, as the first layer takes them. */
  readonly embeddings: Float32Array;
};

/** A module whose header was checked; what its tensors hold is not read yet. */
export type ModuleFile = ModuleHeader & { readonly path: string };

/**
 * Reads a lookahead module: the LoRA's numbers are checked, the embeddings kept.
 * @throws LongsightError `module-invalid`, naming the file
 */
export async function readLookaheadModule(path: string): Promise<LookaheadModule> {
  const file = await readModuleFile(path);
  if (file === null) throw invalid(path, "moduleIsNone", "general.type is not adapter, or lookahead.version is missing");
  return loadModule(file);
}

/**
 * Reads a module's header.
 * @returns null for a sound GGUF that is something else
 * @throws LongsightError `module-invalid`, naming the file
 */
export async function readModuleFile(path: string): Promise<ModuleFile | null> {
  const found = await stat(path).catch(() => null);
  if (found === null) throw invalid(path, "moduleMissing", path);
  if (!found.isFile()) throw invalid(path, "moduleNoFile", path);
  const raw = await readRawHeader(path).catch((error: unknown) => {
    throw invalid(path, "moduleDamaged", error instanceof Error ? error.message : String(error));
  });
  if (!isModule(raw)) return null;
  try {
    return { path, ...parseModuleHeader(raw, found.size) };
  } catch (error) {
    throw error instanceof ModuleFault ? invalid(path, "moduleDamagedOrOther", error.message) : error;
  }
}

/**
 * Reads all tensors of a module whose header is sound.
 * @throws LongsightError `module-invalid` where one holds what is no number, or the file became shorter
 */
export async function loadModule({ tensors, ...header }: ModuleFile): Promise<LookaheadModule> {
  let embeddings: Float32Array = new Float32Array(0);
  try {
    const file = await open(header.path, "r");
    try {
      for (const tensor of tensors) {
        const numbers = await readTensor(file, tensor);
        if (tensor.name === embeddingsName) embeddings = numbers instanceof Uint16Array ? floatsOfHalves(numbers) : numbers;
      }
    } finally {
      await file.close();
    }
  } catch (error) {
    throw invalid(header.path, "moduleDamaged", error instanceof Error ? error.message : String(error));
  }
  return { ...header, trained: header.training.steps > 0, embeddings };
}

/** @throws Error where the file ends inside it, or a number of it is infinite or none */
async function readTensor(file: FileHandle, { name, half, elements, start }: TensorPlace): Promise<Uint16Array | Float32Array> {
  const numbers = half ? new Uint16Array(elements) : new Float32Array(elements);
  const bytes = new Uint8Array(numbers.buffer);
  let filled = 0;
  while (filled < bytes.length) {
    const { bytesRead } = await file.read(bytes, filled, bytes.length - filled, start + filled);
    if (bytesRead === 0) throw new ModuleFault(`the file ends inside the tensor ${name}`);
    filled += bytesRead;
  }
  const sound = numbers instanceof Uint16Array ? areFiniteHalves(numbers) : numbers.every(Number.isFinite);
  if (!sound) throw new ModuleFault(`the tensor ${name} holds infinite numbers or none`);
  return numbers;
}

type Fault = "moduleIsNone" | "moduleMissing" | "moduleNoFile" | "moduleDamaged" | "moduleDamagedOrOther";

function invalid(path: string, fault: Fault, detail: string): LongsightError {
  return new LongsightError("module-invalid", say("moduleUnusable", { file: basename(path), why: say(fault) }), detail);
}

type ForBase = Pick<LookaheadModule, "path" | "base" | "linears">;

/**
 * The first thing in which a model differs from the one that a module was made for; null where the module fits. Names do not count:
 * the same model goes by many.
 */
function differenceOf({ base, linears }: ForBase, model: GgufHeader, facts: BaseFacts): { what: Message; values: string } | null {
  const compared: [what: Message, ofModule: string | number, ofModel: string | number][] = [
    [say("differsInKind"), base.architecture, model.architecture],
    [say("differsInLayers"), base.layers, model.layers],
    [say("differsInWidth"), base.embeddingWidth, model.embeddingWidth],
    [say("differsInHeads"), base.attentionHeads, model.attentionHeads],
    [say("differsInKvHeads"), base.kvHeads, model.kvHeads],
    [say("differsInTokenizer"), base.tokenizerHash, facts.tokenizerHash],
  ];
  for (const { name, inputs, outputs } of linears) {
    compared.push([say("differsInSize", { matrix: name }), `${inputs} × ${outputs}`, facts.shapes.get(name)?.join(" × ") ?? "missing"]);
  }
  for (const [what, ofModule, ofModel] of compared) {
    if (ofModule !== ofModel) return { what, values: `${ofModule} in the module, ${ofModel} in the model` };
  }
  return null;
}

/**
 * Holds a module against the model that it is to be used with.
 * @param facts of the same model's file
 * @throws LongsightError `module-mismatch`, naming both models and the first thing in which they differ
 */
export function checkBase(module: ForBase, model: GgufHeader, facts: BaseFacts): void {
  const difference = differenceOf(module, model, facts);
  if (difference === null) return;
  const { what, values } = difference;
  throw new LongsightError(
    "module-mismatch",
    say("moduleOfOtherModel", { file: basename(module.path), base: module.base.name, model: model.name, what }),
    `${what.message}: ${values}`,
  );
}
