import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { writeShown } from "../../.build/pages/directory.js";
import { htmlErrors } from "../../.build/pages/html-errors.js";
import { PAGE_KINDS, pageKinds } from "../../.build/pages/kinds.js";
import { missingPage } from "../../src/pages/kit/error-page.js";
import { reportPage } from "../../src/pages/report/report-page.js";
import { build } from "../../src/publish/build.js";
import { serve } from "../../src/server/serve.js";
import { HOSTILE_TOGETHER } from "./hostile.js";
import { aFullReport, CONTEXT } from "./reports.js";

/** Expects a whole page to be valid HTML. @param about names the page where it is not */
function expectValid(markup: string, about = ""): void {
  expect([about, htmlErrors(markup)]).toEqual([about, []]);
}

/** As a browser asks for a page. */
const ACCEPT = "text/html,application/xhtml+xml,*/*;q=0.8";

describe("every kind of page is valid HTML", () => {
  const pages = new Map<string, string>();
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "crawldex-test-"));
    const store = join(folder, "store");
    await writeShown(join(folder, "published"));
    await build(join(folder, "published"), { store, jobs: 1, keep: 1 });
    const server = await serve(store, { port: 0, host: "127.0.0.1", log: () => {} });
    for (const { name, path } of await pageKinds(store, server.url)) {
      const reply = await fetch(server.url + path, { headers: { accept: ACCEPT } });
      if (reply.headers.get("content-type")?.startsWith("text/html"))
        pages.set(name, await reply.text());
    }
    await server.close();
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it.each(PAGE_KINDS)("%s", (name) => {
    const page = pages.get(name);
    expect([name, page]).toEqual([name, expect.stringMatching(/^<!doctype html>/i)]);
    expectValid(page ?? "", name);
  });

  it("a report with everything, and with hostile texts", () => {
    for (const text of [undefined, ...HOSTILE_TOGETHER]) {
      expectValid(reportPage(aFullReport(text), CONTEXT), text);
    }
  });

  it("the page of an exported tree for addresses that it does not have", () => {
    for (const isPacked of [true, false]) {
      const tree = { links: "files", isPacked, hasPages: true, hasAnswers: true } as const;
      expectValid(missingPage({ ...CONTEXT, tree }));
    }
  });
});

it.each([
  ["a block in a paragraph", "<p><div>A</div></p>", /close-order|permitted/],
  ["two elements with one id", '<p id="a">A</p><p id="a">B</p>', /no-dup-id/],
  ["a name where ARIA allows none", '<span aria-label="A">B</span>', /aria-label-misuse/],
])("a page is not valid with %s", (_, body, rule) => {
  const page = `<!doctype html>\n<html lang="en"><head><title>A page</title></head><body>${body}</body></html>`;
  expect(htmlErrors(page).join("\n")).toMatch(rule);
});
