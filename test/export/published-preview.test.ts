import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { type PublishedPreview, previewPublished } from "../../src/export/published-preview.js";
import { BadPublishedError } from "../../src/publish/build.js";
import { aListing, aPublishedDirectory, temporaryFolder, writePublished } from "../fixtures.js";

const BAR = "Preview: this directory is not published yet.";
const PERSON = { headers: { Accept: "text/html,*/*" } };

let preview: PublishedPreview;
let published: string;
let cleanUp: () => Promise<void>;
beforeAll(async () => {
  const folder = await temporaryFolder((remove) => {
    cleanUp = remove;
  });
  published = await writePublished(
    join(folder, "published"),
    aPublishedDirectory({ listings: [aListing({ name: "<body>\n", tagline: "<b>x</b>" })] }),
  );
  preview = await previewPublished(published, { port: 0 });
});
afterAll(async () => {
  await preview.close();
  await cleanUp();
});

describe("a preview of a published directory", () => {
  it.each([
    ["/", 200],
    ["/sites/example.com", 200],
    ["/standards", 200],
    ["/api", 200],
    ["/sites/none.example", 404],
    ["/nothing", 404],
  ])("has one bar at the top of the page %s", async (path, status) => {
    const response = await fetch(preview.url + path, PERSON);
    const text = await response.text();
    expect(response.status).toBe(status);
    expect(text.split(BAR)).toHaveLength(2);
    expect(text).toMatch(
      /<body>\n<div class="top"><div class="wide"><p class="notice" data-preview>/,
    );
    expect(text.split("data-preview")[0]).not.toContain("<main");
  });

  it("answers conditional and HEAD requests for the page with the bar", async () => {
    const full = await fetch(`${preview.url}/standards`, PERSON);
    const tag = full.headers.get("etag") ?? "";
    expect(tag).toContain("preview-");
    const headers = { ...PERSON.headers, "If-None-Match": tag };
    const again = await fetch(`${preview.url}/standards`, { headers });
    expect(again.status).toBe(304);
    const head = await fetch(`${preview.url}/nothing`, { ...PERSON, method: "HEAD" });
    const lost = await fetch(`${preview.url}/nothing`, PERSON);
    expect(head.headers.get("content-length")).toBe(`${(await lost.arrayBuffer()).byteLength}`);
  });

  it("leaves everything that is no page as it will be published", async () => {
    for (const path of ["/api/sites", "/sites/example.com/report.md", "/robots.txt", "/feed.xml"]) {
      const response = await fetch(preview.url + path);
      expect([path, response.status]).toEqual([path, 200]);
      expect(await response.text()).not.toContain("Preview:");
    }
  });

  it("accepts warnings as a build does", async () => {
    const accepting = await previewPublished(published, { port: 0, accept: ["html-in-text"] });
    await accepting.close();
    expect(preview.built).toMatchObject({ warningCount: 1, acceptedCount: 0 });
    expect(accepting.built).toMatchObject({ warningCount: 0, acceptedCodes: ["html-in-text"] });
  });

  it("deletes its store when it ends, and after errors in the directory", async () => {
    const folder = await temporaryFolder();
    vi.stubEnv("TMPDIR", folder);
    onTestFinished(() => {
      vi.unstubAllEnvs();
    });
    const other = await previewPublished(published, { port: 0 });
    expect(await readdir(folder)).toHaveLength(1);
    await other.close();
    const { port } = preview;
    await expect(previewPublished(published, { port })).rejects.toThrow("EADDRINUSE");
    expect(await readdir(folder)).toEqual([]);
    const broken = join(folder, "broken");
    await writePublished(broken, aPublishedDirectory());
    await writeFile(join(broken, "taxonomy.json"), "{");
    await expect(previewPublished(broken, { port: 0 })).rejects.toBeInstanceOf(BadPublishedError);
    expect(await readdir(folder)).toEqual(["broken"]);
  });
});
