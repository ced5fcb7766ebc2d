import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ROOT } from "../house/sources.js";
import { PAGES } from "./pages.js";

describe("the page about publishing", () => {
  it("begins with the listing and the scan that init writes", () => {
    const page = PAGES.find(({ path }) => path === "docs/publishing.md");
    const records = page?.blocks.filter(({ language }) => language === "json") ?? [];
    const files = ["listings/example.com.json", "scans/example.com.json"];
    expect(records.map(({ text }) => text)).toEqual(
      files.map((file) => readFileSync(join(ROOT, "sample/minimal", file), "utf8")),
    );
  });
});
