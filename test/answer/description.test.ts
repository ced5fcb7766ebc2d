import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { exportedSite } from "../export/sites.js";
import { aPublishedDirectory, theDirectory } from "../fixtures.js";
import { all, attributeOf, parsedPage, textOf } from "../pages/parsed.js";
import { send, sharedService } from "../server/http.js";

const described = (description: string) =>
  aPublishedDirectory({ directory: { ...theDirectory(), description } });

/** Longer than pages show, with markup of HTML, Markdown and JSON. */
const LONG = `Gardens & <b>"sites"</b>,\n*scanned* weekly. ${"More about them. ".repeat(40)}`;
const LINE = LONG.replaceAll(/\s+/g, " ").slice(0, 299).trimEnd();
const files = described(LONG);
const service = sharedService(files);

const ADDRESSES = {
  "": "index.html",
  "feed.xml": "feed.xml",
  "feed.json": "feed.json",
  "llms.txt": "llms.txt",
};

describe("the description of directory.json", () => {
  it("is on the start page, in its description, in feeds and in llms.txt, on a server and in a tree", async () => {
    const { site } = await exportedSite(files);
    for (const [address, file] of Object.entries(ADDRESSES)) {
      const served = (await send(service.server, `/${address}`)).text;
      for (const text of [served, await readFile(join(site, file), "utf8")])
        expectShown(file, text);
    }
  });

  it("is for the start page alone, and a page of results describes itself", async () => {
    const { text } = await send(service.server, "/?q=example");
    expect(textOf(parsedPage(text))).not.toContain("Gardens");
    expect(metaOf(text)).toMatch(/^Search /);
  });
});

function expectShown(file: string, text: string): void {
  if (file === "index.html") {
    expect(textOf(parsedPage(text))).toContain(`${LINE}…`);
    expect(metaOf(text)).toBe(`${LINE}…`);
    expect(text).not.toContain('<b>"sites"');
  } else if (file === "feed.json") {
    expect(JSON.parse(text)).toMatchObject({ description: `${LINE}…` });
  } else if (file === "feed.xml") {
    expect(text).toContain("<subtitle>Gardens &amp; &lt;b&gt;");
  } else {
    expect(text).toContain('\n\n> Gardens \\& \\<b\\>"sites"\\</b\\>, \\*scanned\\* weekly.');
  }
}

function metaOf(text: string): string | null | undefined {
  const metas = all(parsedPage(text), "meta");
  const meta = metas.find((one) => attributeOf(one, "name") === "description");
  return meta && attributeOf(meta, "content");
}
