import { createHash } from "node:crypto";
import type { TestCatalogue } from "../../../electron/contract/catalogue.ts";
import { type FileServer, startServer } from "../../unit/engine/downloads/fileServer.ts";

/** A catalogue of one model, as the app under test takes it from its environment. */
export function catalogueOf(server: FileServer, bytes: Buffer): { readonly LONGSIGHT_TEST_CATALOGUE: string } {
  const catalogue: TestCatalogue = {
    origin: server.origin,
    models: [
      {
        id: "offered",
        name: "Offered Model",
        quantisation: "Q8_0",
        licence: "Apache-2.0",
        trainedContextLength: 2048,
        file: "Offered.Q8_0.gguf",
        bytes: bytes.length,
        sha256: createHash("sha256").update(bytes).digest("hex"),
        address: `${server.origin}/offered.gguf`,
        servers: ["example.org"],
      },
    ],
  };
  return { LONGSIGHT_TEST_CATALOGUE: JSON.stringify(catalogue) };
}

export { startServer };
