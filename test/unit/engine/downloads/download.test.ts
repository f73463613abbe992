import { createHash, randomBytes } from "node:crypto";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { CatalogueModel } from "../../../../electron/contract/catalogue.ts";
import type { StreamEvent } from "../../../../electron/contract/engine.ts";
import { openCatalogue } from "../../../../electron/engine/downloads/catalogue.ts";
import { type DownloadOptions, download } from "../../../../electron/engine/downloads/download.ts";
import { type Disk, realDisk } from "../../../../electron/engine/downloads/partFile.ts";
import { type FileServer, serve, startOf, startServer } from "./fileServer.ts";

const bytes = randomBytes(1_500_000);
const half = 700_000;

let folder = "";
let server: FileServer;
let model: CatalogueModel;
let events: StreamEvent[];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "longsight it's “downloads” "));
  server = await startServer();
  events = [];
  model = {
    id: "small",
    name: "Small",
    quantisation: "Q8_0",
    licence: "Apache-2.0",
    trainedContextLength: 2048,
    file: "Small.Q8_0.gguf",
    bytes: bytes.length,
    sha256: createHash("sha256").update(bytes).digest("hex"),
    address: `${server.origin}/models/small.gguf`,
    servers: ["example.org"],
  };
});
afterEach(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

const target = () => join(folder, model.file);
const part = () => `${target()}.part`;

function fetched(over: Partial<DownloadOptions> = {}): Promise<string> {
  return download(model, {
    catalogue: openCatalogue({ models: [model], origin: server.origin }),
    folder,
    signal: new AbortController().signal,
    emit: (event) => events.push(event),
    waitsMs: [1, 1],
    ...over,
  });
}

async function expectWhole(): Promise<void> {
  expect((await readFile(target())).equals(bytes)).toBe(true);
  expect(await readdir(folder)).toEqual([model.file]);
}

/** What is on disk after a failure: the part alone, or nothing. */
async function expectPart(length: number): Promise<void> {
  expect(await readdir(folder)).toEqual(length === 0 ? [] : [`${model.file}.part`]);
  if (length > 0) expect((await readFile(part())).equals(bytes.subarray(0, length))).toBe(true);
}

describe("a download", () => {
  it("is written beside its place, checked and renamed, with progress to the end", async () => {
    server.answer(serve(bytes));
    expect(await fetched()).toBe(target());
    await expectWhole();
    expect(server.asked).toEqual([{ path: "/models/small.gguf", range: null }]);
    const stages = events.flatMap((event) => (event.event === "progress" ? [event] : []));
    for (const stage of ["download", "verify"] as const) {
      const own = stages.filter((event) => event.stage === stage);
      expect(own[0]).toMatchObject({ done: 0, total: bytes.length });
      expect(own.at(-1)).toMatchObject({ done: bytes.length, fraction: 1, secondsLeft: 0 });
    }
  });

  it("is not made again where the file is there: nobody is asked", async () => {
    await writeFile(target(), bytes);
    expect(await fetched()).toBe(target());
    expect(server.asked).toEqual([]);
  });

  it("goes on behind what is there", async () => {
    await writeFile(part(), bytes.subarray(0, half));
    server.answer(serve(bytes));
    await fetched();
    await expectWhole();
    expect(server.asked).toEqual([{ path: "/models/small.gguf", range: `bytes=${half}-` }]);
    // What was there before says nothing of how fast the rest comes.
    expect(events[0]).toMatchObject({ stage: "download", done: half, total: bytes.length });
  });

  it("begins anew where the server knows no ranges", async () => {
    await writeFile(part(), randomBytes(half));
    server.answer((_request, response) => response.writeHead(200, { "Content-Length": bytes.length }).end(bytes));
    await fetched();
    await expectWhole();
  });

  it("begins anew where the server answers with another range, or with none for what is there", async () => {
    for (const status of [206, 416]) {
      await rm(target(), { force: true });
      await writeFile(part(), randomBytes(half));
      server.answer((request, response) => {
        if (request.headers.range === undefined) serve(bytes)(request, response);
        else response.writeHead(status, status === 206 ? { "Content-Range": `bytes 5-9/${bytes.length}` } : {}).end("12345");
      });
      await fetched();
      await expectWhole();
    }
  });

  it("only checks a part that is whole already", async () => {
    await writeFile(part(), bytes);
    await fetched();
    await expectWhole();
    expect(server.asked).toEqual([]);
  });

  it("drops a part that is longer than the file", async () => {
    await writeFile(part(), Buffer.concat([bytes, bytes]));
    server.answer(serve(bytes));
    await fetched();
    await expectWhole();
    expect(server.asked[0]?.range).toBeNull();
  });

  it("survives connections that break, as long as each brings something", async () => {
    let cut = 0;
    server.answer((request, response) => {
      cut += 300_000;
      serve(bytes, cut)(request, response);
    });
    await fetched();
    await expectWhole();
    expect(server.asked.length).toBeGreaterThan(3);
  });

  it("waits and tries again where a server is busy", async () => {
    let tries = 0;
    server.answer((request, response) => {
      tries += 1;
      if (tries === 1) response.writeHead(503).end();
      else serve(bytes)(request, response);
    });
    await fetched();
    await expectWhole();
  });
});

describe("a pause", () => {
  it("keeps what has arrived, and the next try goes on from there", async () => {
    const controller = new AbortController();
    server.answer((_request, response) => {
      response.writeHead(200, { "Content-Length": bytes.length });
      response.write(bytes.subarray(0, half));
    });
    const disk: Disk = {
      ...realDisk,
      async write(file, piece, position) {
        await realDisk.write(file, piece, position);
        if (position + piece.length === half) controller.abort();
      },
    };
    const running = fetched({ signal: controller.signal, disk });
    await expect(running).rejects.toMatchObject({ code: "cancelled" });
    await expectPart(half);
    server.answer(serve(bytes));
    await fetched();
    await expectWhole();
    expect(server.asked.at(-1)?.range).toBe(`bytes=${half}-`);
  });

  it("ends the wait for another try at once", async () => {
    const controller = new AbortController();
    server.answer((_request, response) => {
      response.writeHead(503).end();
      setTimeout(() => controller.abort(), 20);
    });
    await expect(fetched({ signal: controller.signal, waitsMs: [60_000] })).rejects.toMatchObject({ code: "cancelled" });
  });
});

describe("what fails", () => {
  const failure = (message: RegExp, code = "model-download") => ({ name: "LongsightError", code, message: expect.stringMatching(message) });

  it("a connection that brings nothing, after a few tries; what was there stays", async () => {
    await writeFile(part(), bytes.subarray(0, half));
    server.answer((_request, response) => response.destroy());
    await expect(fetched()).rejects.toMatchObject(failure(/Small.*connection to 127\.0\.0\.1.*are kept.*again/));
    expect(server.asked).toHaveLength(3);
    await expectPart(half);
  });

  it("no server at all", async () => {
    await server.close();
    await expect(fetched()).rejects.toMatchObject(failure(/connection to 127\.0\.0\.1/));
    await expectPart(0);
    server = await startServer();
  });

  it("a server that falls silent", async () => {
    server.answer((_request, response) => response.writeHead(200, { "Content-Length": bytes.length }).flushHeaders());
    await expect(fetched({ silenceLimitMs: 50 })).rejects.toMatchObject({
      ...failure(/connection/),
      detail: expect.stringContaining("0.05 seconds"),
    });
  });

  it.each([
    [404, /not there any more/],
    [410, /not there any more/],
    [403, /refused it \(403\)/],
  ])("an answer %i, at once", async (status, message) => {
    server.answer((_request, response) => response.writeHead(status).end("<html>no</html>"));
    await expect(fetched()).rejects.toMatchObject(failure(message));
    expect(server.asked).toHaveLength(1);
    await expectPart(0);
  });

  it("a file of another length, before anything is written", async () => {
    server.answer((_request, response) => response.writeHead(200, { "Content-Length": 5 }).end("12345"));
    await expect(fetched()).rejects.toMatchObject(failure(/another file \(5 bytes instead of 1500000\)/));
    await expectPart(0);
    await writeFile(part(), bytes.subarray(0, half));
    server.answer((_request, response) =>
      response.writeHead(206, { "Content-Range": `bytes ${half}-${half + 4}/${half + 5}` }).end("12345"),
    );
    await expect(fetched()).rejects.toMatchObject(failure(/another file/));
    await expectPart(half);
  });

  it("a server that goes on sending", async () => {
    server.answer((_request, response) => response.writeHead(200).end(Buffer.concat([bytes, bytes])));
    await expect(fetched()).rejects.toMatchObject(failure(/more than the 1500000 bytes/));
    await expect(readFile(target())).rejects.toThrow();
  });

  it("a file with another checksum, which is deleted", async () => {
    const other = Buffer.from(bytes);
    other[half] = (other[half] ?? 0) ^ 1;
    server.answer(serve(other));
    await expect(fetched()).rejects.toMatchObject({
      ...failure(/not the file that was tested/),
      detail: expect.stringContaining(model.sha256),
    });
    await expectPart(0);
    // So a part that was wrong does no harm beyond one try.
    server.answer(serve(bytes));
    await fetched();
    await expectWhole();
  });

  it("an address that leads out of the catalogue", async () => {
    for (const location of [
      "https://evil.example/x",
      "http://example.org/x",
      "file:///etc/hostname",
      "https://a:b@example.org/x",
      "https://example.org:8443/x",
    ]) {
      server.answer((_request, response) => response.writeHead(302, { Location: location }).end());
      await expect(fetched()).rejects.toMatchObject(failure(/not in the catalogue/));
    }
    server.answer((_request, response) => response.writeHead(302, { Location: "https://" }).end());
    await expect(fetched()).rejects.toMatchObject(failure(/leads to one that is none/));
    server.answer((_request, response) => response.writeHead(302, { Location: "/again" }).end());
    await expect(fetched()).rejects.toMatchObject(failure(/without end/));
    await expectPart(0);
  });

  it("but not one that leads to another place of the same server", async () => {
    server.answer((request, response) => {
      if (request.url === "/elsewhere") serve(bytes)(request, response);
      else response.writeHead(307, { Location: "/elsewhere" }).end();
    });
    await writeFile(part(), bytes.subarray(0, half));
    await fetched();
    await expectWhole();
    expect(server.asked.map(({ range }) => range)).toEqual([`bytes=${half}-`, `bytes=${half}-`]);
  });

  it("a disk without room, before anybody is asked", async () => {
    const disk: Disk = { ...realDisk, free: async () => 1_000_000 };
    await expect(fetched({ disk })).rejects.toMatchObject(failure(/no room for “Small”: 69 MB are needed, 1 MB are free/, "storage"));
    expect(server.asked).toEqual([]);
    server.answer(serve(bytes));
    await fetched({ disk: { ...realDisk, free: async () => null } });
    await expectWhole();
  });

  it("a disk that fills up meanwhile; the next try goes on", async () => {
    server.answer(serve(bytes));
    const disk: Disk = {
      ...realDisk,
      async write(file, piece, position) {
        const room = half - position;
        if (piece.length <= room) return realDisk.write(file, piece, position);
        await realDisk.write(file, piece.subarray(0, room), position);
        throw Object.assign(new Error("no space left on device"), { code: "ENOSPC" });
      },
    };
    await expect(fetched({ disk })).rejects.toMatchObject(failure(/the disk is full.*kept/, "storage"));
    await expectPart(half);
    await fetched();
    await expectWhole();
    expect(startOf({ headers: { range: server.asked.at(-1)?.range ?? undefined } })).toBe(half);
  });

  it("a folder that cannot be made", async () => {
    await writeFile(join(folder, "file"), "");
    await expect(fetched({ folder: join(folder, "file", "models") })).rejects.toMatchObject(failure(/could not be written/, "storage"));
  });
});
