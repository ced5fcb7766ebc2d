import { join } from "node:path";
import { expect, it } from "vitest";
import { build } from "../../src/build/build.js";
import * as assets from "../../src/pages/kit/asset-texts.js";
import { answer } from "../../src/runtime/answer/answer.js";
import { type Pages, pagesOf } from "../../src/runtime/answer/pages.js";
import { SERVER_PAGES } from "../../src/runtime/http/server-pages.js";
import { LoadedSnapshot } from "../../src/runtime/snapshot/snapshot.js";
import { temporaryFolder } from "../fixtures.js";
import { writeSample } from "../sample/generator/write.js";

it("the fetch handler's pages and their files are those of the server, byte for byte", async () => {
  const folder = await temporaryFolder();
  await writeSample(join(folder, "published"), { listings: 20, seed: 5 });
  const store = join(folder, "store");
  const { id } = await build(join(folder, "published"), { store, jobs: 1, keep: 1 });
  const snapshot = await LoadedSnapshot.load(store, id);
  const answerOf = async (target: string, pages: Pages | null) => {
    const compress = () => Promise.reject(new Error("nothing asks for it"));
    const onDamage = (error: Error) => expect(error).toBeUndefined();
    const facts = { method: "GET", target, isForPerson: true };
    const made = await answer(facts, { snapshot, pages, compress, onDamage });
    return { ...made, body: Buffer.from(made.body ?? "").toString("utf8") };
  };
  const host = snapshot.exampleHost ?? "";
  const pages = [
    ...["/", "/?q=a&page=2", "/standards", "/api", "/api/nothing", "/robots.txt", "/llms.txt"],
    ...[
      "/sitemap.xml",
      "/sitemaps/0.xml",
      "/sitemaps/1.xml",
      "/figures.json",
      "/sites/none.example",
      "/sites/A",
    ],
    ...["", "/report.md", "/badge.svg", "?scan=none"].map((rest) => `/sites/${host}${rest}`),
    ...assets.ASSETS.map(({ name }) => `/assets/${name}`),
    ...["/assets/report-00000000.css", "/assets/explorer-00000000.js"],
  ];
  const statuses = new Set<number>();
  for (const target of pages) {
    const served = await answerOf(target, SERVER_PAGES);
    expect(
      await answerOf(
        target,
        pagesOf(async () => assets),
      ),
      target,
    ).toEqual(served);
    expect((await answerOf(target, null)).status, target).toBe(404);
    statuses.add(served.status);
  }
  expect([...statuses].sort()).toEqual([200, 400, 404]);
  snapshot.release();
});
