import { afterEach, expect, test } from "vitest";
import { CatalogueList } from "../../../../renderer/model/CatalogueList.tsx";
import { ModelOption, UnusableItem } from "../../../../renderer/model/ModelList.tsx";
import { estimateFit } from "../../../../renderer/model/modelFit.ts";
import { createDesk, type Desk, model, report } from "../fakeEngine.ts";
import { show } from "../show.tsx";

let desk: Desk;
afterEach(() => desk.session.dispose());

const known = { ...report, fileBytes: 145e6, fit: { ...report.fit, availableBytes: 2e9 } };
const fit = estimateFit(known, { contextLength: 1000, kvType: "f16", budget: 100 });
const plain = (markup: string) =>
  markup
    .replace(/<[^>]*>/g, " ")
    .replace(/\u00a0/g, " ")
    .replace(/\s+/g, " ");

test("a model tells what it would take, what of that is estimated, and its module, before it is loaded", () => {
  desk = createDesk();
  const trained = { ...known, lookahead: { name: "For Small", steps: 440 } };
  const shown = plain(show(desk.session, <ModelOption report={trained} checked fit={fit} loaded={null} onChoose={() => undefined} />));
  expect(shown).toContain("Fits");
  expect(shown).toContain("Weights 145 MB; estimated: full cache 512 kB, kept cache 51 kB, all else 315 MB.");
  expect(shown).toContain("trained for 440 steps");
  expect(shown).not.toContain("measured");
  const without = plain(show(desk.session, <ModelOption report={known} checked fit={fit} loaded={null} onChoose={() => undefined} />));
  expect(without).toContain("Lookahead module: none: SnapKV takes its place");
});

test("a loaded model tells what was measured beside the estimate, and cannot be taken off the list", () => {
  desk = createDesk();
  const added = { ...known, origin: "added" } as const;
  const loaded = { ...model, report: added, cacheBytes: 5e6 };
  const option = (now: typeof loaded | null) =>
    show(desk.session, <ModelOption report={added} checked fit={fit} loaded={now} onChoose={() => undefined} />);
  expect(plain(option(loaded))).toContain("full cache 5.0 MB for 1,024 tokens, measured");
  expect(option(loaded)).not.toContain("off the list");
  expect(option(null)).toContain("Take Small off the list");
});

test("a file that cannot be used says why and can be taken off the list where it was added", () => {
  desk = createDesk();
  const problem = { code: "model-missing", message: "“gone.gguf” is not in its place any more." } as const;
  const item = (origin: "added" | "installed") =>
    show(desk.session, <UnusableItem model={{ path: "/files/gone.gguf", name: "gone.gguf", origin, problem }} />);
  expect(plain(item("added"))).toContain("is not in its place any more");
  expect(item("added")).toContain("Take gone.gguf off the list");
  expect(item("installed")).not.toContain("off the list");
});

test("the catalogue shows licence, size and address of what is not here yet, and how a download stands", () => {
  desk = createDesk();
  const offer = {
    id: "offered",
    name: "Offered",
    quantisation: "Q4_K_M",
    licence: "MIT",
    trainedContextLength: 2048,
    file: "offered.gguf",
    bytes: 491e6,
    sha256: "0".repeat(64),
    address: "https://example.org/offered.gguf",
    servers: ["example.org"],
    partBytes: 0,
    path: null,
  };
  const store = desk.session.stores.model;
  store.setState({ offers: [offer, { ...offer, id: "here", name: "Here", path: "/models/here.gguf" }] });
  const fresh = plain(show(desk.session, <CatalogueList />));
  for (const words of ["Offered", "MIT", "491 MB", "https://example.org/offered.gguf", "Download…"]) expect(fresh).toContain(words);
  expect(fresh).not.toContain("Here");
  store.setState({ offers: [{ ...offer, partBytes: 200e6 }] });
  expect(plain(show(desk.session, <CatalogueList />))).toMatch(/Paused: 200 MB of 491 MB have arrived\. Go on Cancel/);
  const progress = { event: "progress", stage: "download", fraction: 0.5, done: 245.5e6, total: 491e6, secondsLeft: 40 } as const;
  store.setState({ downloads: { offered: { running: true, progress, problem: null } } });
  expect(plain(show(desk.session, <CatalogueList />))).toMatch(/Downloading 50% · 246 MB of 491 MB · .*40 s.* Pause Cancel/);
  store.setState({ offers: [{ ...offer, path: "/models/offered.gguf" }] });
  expect(show(desk.session, <CatalogueList />)).toBe("");
});
