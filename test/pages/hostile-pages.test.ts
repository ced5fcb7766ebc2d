import { expect, it, onTestFinished } from "vitest";
import { installedPages } from "../../src/extra.js";
import type { PageRoute } from "../../src/pages/kit/routes.js";
import { loadSnapshot } from "../../src/server/load-snapshot.js";
import { extraTargets } from "../extras/examples.js";
import {
  aCheck,
  aListing,
  aPublishedDirectory,
  aScan,
  type PublishedFiles,
  theTaxonomy,
} from "../fixtures.js";
import { asked } from "../server/asked.js";
import { aStore } from "../store/stores.js";
import { HOSTILE, isUnseen, UNSEEN } from "./hostile.js";
import { all, attributeOf, elementsOf, parsedPage, skeletonOf, textOf } from "./parsed.js";

const isHtml = ({ contentType }: PageRoute) => contentType.startsWith("text/html");
/** An address of each kind of page. */
const HOSTS = ["example.com", "other.example"];
const PAGES = [
  ..."/ /?q=example&category=news /categories /categories/news".split(" "),
  ..."/standards /checks/https /feeds /api".split(" "),
  ..."/sites/example.com /sites/nowhere.example /nowhere".split(" "),
  ...Object.entries(extraTargets(HOSTS))
    .filter(([name]) => installedPages().some((page) => page.name === name && isHtml(page)))
    .flatMap(([, targets]) => targets),
];

/** A directory in which every text that its publisher or a scan chooses is the same. */
function directoryOf(text: string, score: number): PublishedFiles {
  const { directory, standards } = aPublishedDirectory();
  const { categories, tags, platforms } = theTaxonomy();
  const named = <T extends object>(entries: readonly T[] = []) =>
    entries.map((entry) => ({ ...entry, name: text }));
  const about = { name: text, title: text, overview: text, whyItMatters: text, whatWeCheck: text };
  const checks = standards.checks.map((check) => ({
    ...check,
    ...about,
    results: text,
    limitations: text,
    sourceNote: text,
  }));
  const failed = { checkId: "sitemap", status: "fail", points: 0, block: 2 } as const;
  return aPublishedDirectory({
    directory: { ...directory, name: text, headline: text.slice(0, 200).toWellFormed() },
    standards: { ...standards, checks },
    taxonomy: {
      categories: named(categories),
      tags: named(tags),
      platforms: named(platforms),
    },
    listings: HOSTS.map((host) =>
      aListing({
        host,
        name: text,
        tagline: text,
        description: text,
        category: "news",
        tags: ["alpha"],
      }),
    ),
    scans: HOSTS.map((host) =>
      aScan({
        // A long one is shown again, in full.
        host,
        score,
        summary: text.slice(0, 100),
        checks: [aCheck({ title: text, label: text, summary: text }), aCheck(failed)],
      }),
    ),
  });
}

/** The text at each address after a publication that changed the scores. */
async function textsAt(targets: readonly string[], before: PublishedFiles, after: PublishedFiles) {
  const { store, builds } = await aStore(before, after);
  const { snapshot, close } = await loadSnapshot(store, builds[1]!);
  onTestFinished(close);
  const texts = targets.map(async (target) => {
    const { bytes } = await asked(snapshot, target, true);
    return [target, bytes.toString("utf8")] as const;
  });
  return Promise.all(texts);
}

/** Every page, by its address. */
async function pagesOf(text: string) {
  const texts = await textsAt(PAGES, directoryOf(text, 50), directoryOf(text, 60));
  return texts.map(([target, one]) => [target, parsedPage(one)] as const);
}

/** The elements of each page, with the names of their attributes. */
async function skeletonsOf(text: string): Promise<Record<string, string[]>> {
  const skeletons: Record<string, string[]> = {};
  for (const [target, page] of await pagesOf(text)) {
    // Which texts have the text of the search in them differs.
    skeletons[target] = skeletonOf(page).filter((one) => one !== "mark ");
    const names = elementsOf(page).flatMap(({ attrs }) => attrs.map(({ name }) => name));
    expect(names.filter((name) => name === "style" || name.startsWith("on"))).toEqual([]);
    const scripts = all(page, "script", "src").map((one) => attributeOf(one, "src"));
    for (const src of scripts) expect(src).toMatch(/^(?:\.\.\/|\/)?assets\/[a-z]+-\w{8}\.js$/);
  }
  return skeletons;
}

it(
  "every page has the same elements and attributes whatever the texts are, and loads only its own " +
    "scripts",
  async () => {
    const plain = await skeletonsOf("Text");
    expect(Object.values(plain).every((skeleton) => skeleton.length > 20)).toBe(true);
    // Several lines are several paragraphs.
    expect(await skeletonsOf(HOSTILE.join(" ").replace(/\s+/g, " "))).toEqual(plain);
  },
);

it("every page and feed declares the directory's language, and the start page has its headline", async () => {
  const inGerman = (score: number) => {
    const files = directoryOf("Text", score);
    const directory = { ...files.directory, lang: "de-AT", headline: "Was Crawler <lesen>" };
    return { ...files, directory };
  };
  const targets = [...PAGES, "/feed.xml", "/feed.json"];
  for (const [target, text] of await textsAt(targets, inGerman(50), inGerman(60))) {
    const declared =
      text.match(/(?:<html lang=|xml:lang=|"language":|"inLanguage":)"[^"]*"/g) ?? [];
    expect([target, declared.length > 0]).toEqual([target, true]);
    for (const one of declared)
      expect([target, one]).toEqual([target, expect.stringMatching(/"de-AT"$/)]);
    if (target === "/") expect(text).toContain('<h1 dir="auto">Was Crawler &lt;lesen&gt;</h1>');
  }
});

it("no page has a link, a heading or a choice without a name where texts have no visible character", async () => {
  for (const [target, page] of await pagesOf(UNSEEN.join(""))) {
    const named = elementsOf(page).filter(
      (one) =>
        /^(?:a|h\d|summary|title)$/.test(one.tagName) ||
        attributeOf(one, "class") === "choice-name",
    );
    expect(named.length).toBeGreaterThan(5);
    const unseen = named.filter((one) => isUnseen(textOf(one))).map(({ attrs }) => attrs);
    expect([target, unseen]).toEqual([target, []]);
  }
});
