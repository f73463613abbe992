import { z } from "zod";

/** A name of the internet's, without a port. A server stands for those below it as well. */
const serverSchema = z.string().regex(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/);

/** A model that can be downloaded: what stands in the catalogue (assets/models/catalogue.json). */
export const catalogueModelSchema = z.object({
  id: z.string().min(1).max(200),
  name: z.string().min(1),
  quantisation: z.string().min(1),
  /** SPDX identifier. */
  licence: z.string().min(1),
  /** In tokens. */
  trainedContextLength: z.number().int().positive(),
  /** Name under which it is kept; nothing in it can lead out of a folder. */
  file: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]*\.gguf$/),
  bytes: z.number().int().positive(),
  /** In hexadecimal, of the whole file. */
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  address: z.url(),
  /** To which the address may pass a download on. */
  servers: z.array(serverSchema).min(1),
});
export type CatalogueModel = z.infer<typeof catalogueModelSchema>;

export const catalogueSchema = z.object({ models: z.array(catalogueModelSchema) });

/** A model of the catalogue, and what of it is on this computer. */
export const offeredModelSchema = catalogueModelSchema.extend({
  /** Bytes on disk of a download that was not finished. */
  partBytes: z.number().int().nonnegative(),
  /** Path of the whole file; null where it is not there. */
  path: z.string().min(1).nullable(),
});
export type OfferedModel = z.infer<typeof offeredModelSchema>;

/**
 * Another catalogue than the app's own, for tests: its addresses may be of this one origin, whatever that is. Main sets it for a developer's
 * run under test alone, so that no packaged app has it.
 */
export const testCatalogueSchema = z.object({ models: z.array(catalogueModelSchema), origin: z.string().min(1) });
export type TestCatalogue = z.infer<typeof testCatalogueSchema>;
