import { existsSync } from "node:fs";
import { readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { lockTree } from "../../src/files/lock.js";
import { PHASES } from "../../src/options/defaults.js";
import { STYLE } from "../../src/pages/kit/assets.js";
import { readRecord, writeRecord } from "../../src/site/record.js";
import { theStandards } from "../fixtures.js";
import { treeOf } from "../store/trees.js";
import { exportedSite, variedListings } from "./sites.js";

const program = vi.hoisted(() => ({ digest: "1".repeat(64) }));
vi.mock("../../src/build/tool.js", () => ({ toolDigest: () => program.digest }));
const context = vi.hoisted(() => ({ mark: "" }));
vi.mock("../../src/pages/report/report-page.js", async (original) => {
  const { reportPage } = await original<typeof import("../../src/pages/report/report-page.js")>();
  return {
    reportPage: (...given: Parameters<typeof reportPage>) => reportPage(...given) + context.mark,
  };
});

describe("pages that are made differently from the same reports", () => {
  it("by another program: all pages are rewritten, though no snapshot was published, and no answer is", async () => {
    const site = await exportedSite(variedListings());
    const before = await treeOf(site.site);
    Object.assign(program, { digest: "2".repeat(64) });
    expect(await site.export()).toMatchObject({ written: 0, deleted: 0 });
    Object.assign(program, { digest: "3".repeat(64) });
    Object.assign(context, { mark: "<!-- another -->" });
    const { written } = await site.export();
    Object.assign(context, { mark: "" });
    const after = await treeOf(site.site);
    const changed = Object.keys(after).filter((path) => after[path] !== before[path]);
    expect(changed.length).toBe(written);
    expect(changed).toEqual(Object.keys(before).filter((path) => /^sites\/.*\.html$/.test(path)));
    expect(await site.export()).toMatchObject({ written: 0 });
  });

  it("by a version with another style: the new style is there before the first page, and the old one until the last", async () => {
    const files = variedListings();
    const site = await exportedSite(files);
    const [old, next] = ["assets/report-00000000.css", `assets/${STYLE.name}`];
    await rename(join(site.site, next), join(site.site, old));
    const record = (await readRecord(site.site))!;
    const { [next]: digest = null, ...documents } = record.documents;
    const before = { ...documents, [old]: digest };
    const lock = await lockTree(site.site, site.site);
    await writeRecord(site.site, lock, { ...record, edition: "0".repeat(32), documents: before });
    await lock.free();
    const page = "sites/open.example.html";
    await rm(join(site.site, page));
    const seen: boolean[][] = [];
    await site.export({
      full: true,
      onProgress: (_done, _total, { name }) => {
        if (name !== PHASES.exporting.name) return;
        const [hasOld, hasNext, hasPage] = [old, next, page].map((path) =>
          existsSync(join(site.site, path)),
        );
        seen.push([hasOld === true, hasNext === true || hasPage !== true]);
      },
    });
    expect(seen.length).toBeGreaterThan(5);
    expect(seen.filter(([hasOld, hasNext]) => !hasOld || !hasNext)).toEqual([]);
    await site.expectTree(files);
    // The old one is no longer ours, and all that is there is known.
    expect((await readRecord(site.site))?.documents).toEqual(record.documents);
    expect(Object.values(record.documents)).not.toContain(null);
  });

  it("by another rubric: the pages that show it are rewritten, though no shard changed", async () => {
    const files = variedListings();
    const site = await exportedSite(files);
    const { rubric } = theStandards();
    const standards = { ...theStandards(), rubric: { ...rubric, block1Points: 61 } };
    const next = { ...files, standards };
    await site.publish(next);
    await site.export();
    await site.expectTree(next);
    const page = await readFile(join(site.site, "sites/open.example.html"), "utf8");
    expect(page).toContain('<td class="number">61</td>');
  });
});
