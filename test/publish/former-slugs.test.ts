import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { build } from "../../src/publish/build.js";
import { writePurgeList } from "../../src/publish/purge.js";
import { loadSnapshot } from "../../src/server/load-snapshot.js";
import { rollback } from "../../src/upkeep/rollback.js";
import { verify } from "../../src/upkeep/verify.js";
import type { PublishedFiles } from "../fixtures.js";
import { afterRenames, beforeRenames, isOffered, neverRenamed } from "../renamed.js";
import { asked } from "../server/asked.js";
import { manifestOf } from "../store/forge.js";
import { aStore } from "../store/stores.js";

/** Asks the current snapshot of a store. */
async function asking(store: string, id: string) {
  const { snapshot, close } = await loadSnapshot(store, id);
  onTestFinished(close);
  return async (target: string) => (await asked(snapshot, target)).bytes.toString();
}

/** Builds one directory after the other, and asks the last snapshot. */
async function publishedInTurn(...directories: PublishedFiles[]) {
  const made = await aStore(...directories);
  return { ...made, ask: await asking(made.store, made.builds.at(-1) ?? "") };
}

describe("a build after a rename", () => {
  it("publishes the content of a full build, and nothing more the next time", async () => {
    const { folder, store, builds, buildAgain } = await aStore(beforeRenames(), afterRenames());
    const { id } = await build(join(folder, "published-1"), {
      store: join(folder, "other"),
      jobs: 1,
    });
    const content = async (from: string, snapshot: string) =>
      (await manifestOf(from, snapshot)).content;
    expect(await content(store, builds[1] ?? "")).toBe(await content(join(folder, "other"), id));
    expect(await buildAgain()).toMatchObject({ id: builds[1], changed: false });
    expect(await verify(store)).toMatchObject({ bad: [] });
  });

  it.runIf(isOffered("/api/changes"))(
    "gains and loses nothing: sites change, but no check, category, tag or platform of theirs does",
    async () => {
      const { ask } = await publishedInTurn(beforeRenames(), afterRenames());
      const { data } = JSON.parse(await ask("/api/changes"));
      expect(data).toHaveLength(4);
      for (const change of data) {
        expect(change).toMatchObject({
          change: "changed",
          checks: { gained: [], lost: [] },
          was: null,
          generation: 2,
        });
        expect(change.score.from).toBe(change.score.to);
      }
      const search = "/search-feed.json?category=latest-news&capability=site-map";
      expect(JSON.parse(await ask(search)).items).toEqual([]);
    },
  );

  it.runIf(isOffered("/api/changes"))(
    "reads the changes before it as those of the same terms",
    async () => {
      const before = beforeRenames();
      const [first, second, third, fourth] = before.listings;
      const moved: PublishedFiles = {
        ...before,
        listings: [
          { ...first!, category: "weather", tags: ["alpha"], platforms: ["astro"] },
          second!,
          third!,
          { ...fourth!, visibility: "removed" },
        ],
      };
      const { ask } = await publishedInTurn(before, moved, renamedWith(moved));
      for (const query of [
        "category=latest-news",
        "tag=letters",
        "platform=word-press",
        "category=news&tag=first&platform=wordpress",
      ]) {
        const { items } = JSON.parse(await ask(`/search-feed.json?${query}`));
        expect([query, items.map(({ title }: { title: string }) => title)]).toEqual([
          query,
          [expect.stringContaining("no longer found")],
        ]);
      }
      const { items } = JSON.parse(await ask("/search-feed.json?category=scores"));
      expect(items.map(({ id }: { id: string }) => /sites\/([a-d])/.exec(id)?.[1]).sort()).toEqual([
        "a",
        "d",
      ]);
    },
  );

  it.runIf(isOffered("/api/trends"))(
    "shows the trend of a term from before it was renamed",
    async () => {
      const many = (files: PublishedFiles): PublishedFiles => ({
        ...files,
        listings: [...files.listings, ...moreOf(files.listings)],
        scans: [...files.scans, ...moreOf(files.scans)],
      });
      const { ask } = await publishedInTurn(many(beforeRenames()), many(afterRenames()));
      const { data } = JSON.parse(await ask("/api/trends?category=latest-news&check=site-map"));
      expect(data).toMatchObject({ category: "latest-news", check: "site-map" });
      expect(
        data.points.map(({ listings, passed }: Record<string, number>) => [listings, passed]),
      ).toEqual([
        [6, 6],
        [6, 6],
      ]);
    },
  );

  it("can be rolled back: then the former slugs are the present ones again", async () => {
    const { store, builds } = await aStore(beforeRenames(), afterRenames());
    const { id } = await rollback(store);
    expect(await verify(store)).toMatchObject({ bad: [] });
    const ask = await asking(store, id);
    const first = await asking(store, builds[0] ?? "");
    for (const target of ["/api/sites?category=news", "/api/sites/facets?tag=zeta&capability=mcp"])
      expect(await ask(target)).toBe(await first(target));
    expect(JSON.parse(await ask("/api/sites?category=latest-news")).data).toEqual([]);
  });

  it("is another publication if only the name of a platform changes, which facets have", async () => {
    const before = neverRenamed();
    const [first, ...others] = before.taxonomy.platforms ?? [];
    const platforms = [{ ...first!, name: "Another name" }, ...others];
    const after = { ...before, taxonomy: { ...before.taxonomy, platforms } };
    const { store, builds, ask } = await publishedInTurn(before, after);
    expect(await ask("/api/sites/facets")).toContain("Another name");
    expect((await manifestOf(store, builds[1] ?? "")).history?.generation).toBe(2);
  });

  it("is another publication if only former slugs are added, and purges what they change", async () => {
    const { folder, store, builds } = await aStore(neverRenamed(), renamedWith(neverRenamed()));
    const [before = "", after = ""] = builds;
    const { history } = await manifestOf(store, after);
    expect(history?.generation).toBe(2);
    await writePurgeList(join(folder, "purge.txt"), store, before, after);
    const lines = (await readFile(join(folder, "purge.txt"), "utf8")).split("\n");
    for (const path of ["/api/sites?*", "/api/sites/facets*", "/api/dump/*"].filter(isOffered))
      expect(lines).toContain(`https://api.directory.example${path}`);
    const ask = await asking(store, after);
    expect(await ask("/api/sites?category=news")).toContain("a.example");
  });
});

/** The directory after the renames, with these records. */
function renamedWith({ listings, scans }: PublishedFiles): PublishedFiles {
  return { ...afterRenames(), listings, scans };
}

/** The same records of further sites. */
function moreOf<T extends { readonly host: string }>(records: readonly T[]): T[] {
  return ["x", "y"].flatMap((name) =>
    records.map((one) => {
      const host = `${name}-${one.host}`;
      return { ...one, host, ...("url" in one && { url: `https://${host}/` }) };
    }),
  );
}
