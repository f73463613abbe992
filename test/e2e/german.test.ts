import { join } from "node:path";
import { Desk } from "./support/desk.ts";
import { writeDamagedPdf, writeScannedPdf } from "./support/documents.ts";
import { expect, test } from "./support/longsight.ts";
import { writeSettings } from "./support/settings.ts";

test("a German window says in German what the engine has to say of files", async ({ start, userData }) => {
  await writeSettings(userData, {}, { contextLength: 4096, language: "de" });
  const scan = await writeScannedPdf(userData, "scan.pdf");
  const damaged = await writeDamagedPdf(userData, "damaged.pdf");
  const { page } = await start({ files: [damaged, scan, join(userData, "gone.pdf")] });
  const { notices } = new Desk(page);
  await expect(notices.filter({ hasText: "„damaged.pdf“ ist beschädigt" })).toBeVisible({ timeout: 30_000 });
  await expect(notices.filter({ hasText: "„gone.pdf“ wurde nicht gefunden." })).toBeVisible({ timeout: 30_000 });
  await expect(
    notices.filter({ hasText: /^Kein Text auf .*: Das sieht nach einem Scan aus\. Der Text lässt sich erkennen\.$/ }),
  ).toBeVisible({
    timeout: 30_000,
  });
});
