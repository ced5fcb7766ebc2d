import { describe, expect, it, vi } from "vitest";
import { treeOf } from "../store/trees.js";
import { exportedSite, variedListings } from "./sites.js";

const program = vi.hoisted(() => ({ digest: "1".repeat(64) }));
vi.mock("../../src/publish/tool.js", () => ({ toolDigest: () => program.digest }));
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
});
