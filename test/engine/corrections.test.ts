import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import type { IndexedListing } from "../../src/columns/listings.js";
import type { SiteSummary } from "../../src/contract/listing.js";
import { Corrector } from "../../src/engine/corrections.js";
import type { Engine } from "../../src/engine/engine.js";
import { gatherText } from "../../src/engine/text.js";
import { chance, pick, seeded, whole } from "../oracle/random.js";
import { aListing, aSearch, jsonOf, openListings } from "./directory.js";
import { plainFold } from "./naive.js";
import { type FoldedFields, rosterOf } from "./rosters.js";

function corrected(engine: Engine, q: string): string[] | undefined {
  return JSON.parse(jsonOf(engine.search(aSearch({ q })))).didYouMean;
}

function correctedTitles(engine: Engine, q: string): string[] | undefined {
  return JSON.parse(jsonOf(engine.suggest({ q }))).didYouMean;
}

function foldedFields({ host, name, tagline }: SiteSummary): FoldedFields {
  return { host, name: plainFold(name ?? ""), tagline: plainFold(tagline ?? "") };
}

const LISTINGS = [
  aListing("rocketlab.com", { name: "Rocket Lab", tagline: "Launches small satellites" }),
  aListing("coffee-shop.org", { name: "Café Московский", tagline: "Coffee, tea and cake" }),
  aListing("open-data.gov", { name: "Open Data", tagline: "Numbers for everyone" }),
  aListing("weather.io", { name: "Weather", tagline: "Tomorrow's forecast: 北京咖啡馆" }),
];

describe("didYouMean (decisions, Typo tolerance)", () => {
  const engine = openListings(LISTINGS);

  it("is there if and only if q by itself matches nothing that the read looks at", () => {
    expect(corrected(engine, "rocket")).toBeUndefined();
    expect(corrected(engine, "zzzzzz")).toEqual([]);
    expect(corrected(engine, "satellites")).toBeUndefined();
    expect(correctedTitles(engine, "rocket")).toBeUndefined();
    expect(correctedTitles(engine, "satellites")).toEqual([]);
    expect(jsonOf(engine.search(aSearch()))).not.toContain("didYouMean");
  });

  it("is not there where only the other filters leave nothing", () => {
    const answer = JSON.parse(jsonOf(engine.search(aSearch({ q: "rocket", category: ["none"] }))));
    expect(answer.pagination.total).toBe(0);
    expect(answer).not.toHaveProperty("didYouMean");
  });

  it("looks away from the other filters, the page and the limit where q matches nothing", () => {
    const query = aSearch({ q: "rokcet", status: "claimed", page: 9, limit: 1, minScore: 99 });
    expect(JSON.parse(jsonOf(engine.search(query))).didYouMean).toEqual(["rocket"]);
  });

  it("stands after data and pagination", () => {
    expect(Object.keys(JSON.parse(jsonOf(engine.search(aSearch({ q: "rokcet" })))))).toEqual([
      "data",
      "pagination",
      "didYouMean",
    ]);
    expect(jsonOf(engine.suggest({ q: "Rokcet" }))).toBe('{"data":[],"didYouMean":["rocket"]}');
  });

  const typos: Record<string, string> = {
    rokcet: "rocket",
    roket: "rocket",
    rockket: "rocket",
    rickets: "rocket",
    "ROKCET LAB": "rocket lab",
    "rocket lba": "rocket lab",
    "rokcet lba": "rocket lab",
    "rocke lab": "rocket lab",
    "sma satellites": "small satellites",
    "open  dta": "open data",
    opendata: "open data",
    "cofee-shop": "coffee-shop",
    "coffeeshop.org": "coffee-shop.org",
    "rocketlab,com": "rocketlab.com",
    rocketlabcom: "rocketlab.com",
    wether: "weather",
    московскй: "московский",
    cafè: "café",
    北京珈啡馆: "北京咖啡馆",
    "tomorow's forcast": "tomorrow's forecast",
    "weather!": "weather",
  };
  for (const [q, expected] of Object.entries(typos)) {
    it(`of ${q} begins with ${expected}`, () => {
      expect(corrected(engine, q)?.[0]).toBe(expected);
    });
  }

  it("proposes only what the read itself would find", () => {
    expect(corrected(engine, "satelites")).toEqual(["satellites"]);
    expect(correctedTitles(engine, "satelites")).toEqual([]);
  });

  it("prefers the word of more listings among equally near ones", () => {
    const many = openListings([
      aListing("a.org", { name: "bard" }),
      aListing("b.org", { name: "bark" }),
      aListing("c.org", { name: "bark" }),
      aListing("d.org", { name: "barn" }),
      aListing("e.org", { name: "barn" }),
      aListing("f.org", { name: "barn" }),
      aListing("g.org", { name: "baru" }),
    ]);
    expect(corrected(many, "barx")).toEqual(["barn", "bark", "bard"]);
  });

  it("proposes nothing that is too short or too long to be asked for", () => {
    const tagline = `${"alpha bravo charlie delta echo ".repeat(4)}`.slice(0, 121);
    const edges = openListings([aListing("x.yz", { name: "q", tagline })]);
    expect(corrected(edges, "q1")).toEqual([]);
    const longest = tagline.slice(0, 120);
    expect(corrected(edges, longest.replace("bravo", "brvo"))).toEqual([longest]);
    expect(corrected(edges, tagline.replace("bravo", "brvo"))).toEqual([]);
  });

  it("does not depend on the order in which listings come", () => {
    const reversed = openListings([...LISTINGS].reverse());
    for (const q of Object.keys(typos))
      expect(corrected(reversed, q)).toEqual(corrected(engine, q));
  });

  it("looks up no more than 100 beginnings, also of 120 characters without a good answer", () => {
    const random = seeded(21);
    const corrector = new Corrector(
      gatherText(rosterOf(LISTINGS.map(({ summary }) => foldedFields(summary)))),
    );
    let most = 0;
    const words = ["rokcet", "lab", "opne", "dta", "wether", "teh", "北京", "q", "--", "🚀"];
    for (let made = 0; made < 200; made += 1) {
      let q = "";
      while (q.length < 120) q += pick(random, words) + pick(random, [" ", " ", "-", "", ","]);
      let lookups = 0;
      corrector.correct(q.slice(0, 120).trim(), {
        hasAny: (text) => {
          lookups += 1;
          return text.length < 100;
        },
      });
      expect(lookups).toBeLessThanOrEqual(100);
      most = Math.max(most, lookups);
    }
    expect(most).toBe(100);
  });
});

const REAL = fileURLToPath(new URL("../../../shared/published/listings", import.meta.url));

interface PublishedListing {
  readonly host: string;
  readonly name: string;
  readonly tagline: string | null;
  readonly visibility?: string;
}

/** The listed records of the real directory, as far as text goes. */
function realListings(folder: string): IndexedListing[] {
  const records = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .sort((a, b) => (a < b ? -1 : 1))
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile())
    .flatMap((path) => {
      const text = readFileSync(path, "utf8");
      return path.endsWith(".json") ? [text] : text.split("\n").filter((line) => line !== "");
    })
    .map((record) => JSON.parse(record) as PublishedListing);
  return records
    .filter(({ visibility = "listed" }) => visibility === "listed")
    .map(({ host, name, tagline }) => aListing(host, { name, tagline }));
}

/** Two letters swapped, one missing, doubled or wrong. */
function mistyped(random: () => number, word: string): string {
  const at = whole(random, 0, word.length - 2);
  const [before, after] = [word.slice(0, at), word.slice(at + 1)];
  const wrong = () => pick(random, [..."abcdefghijklmnopqrstuvwxyz"]);
  const swap = () => before + word[at + 1] + word[at] + word.slice(at + 2);
  return pick(random, [
    swap,
    () => before + after,
    () => before + word[at] + word[at] + after,
    () => before + wrong() + after,
  ])();
}

describe("didYouMean on the real directory", () => {
  it("has the right word among the three for at least 85 % of typos", ({ skip }) => {
    skip(!existsSync(REAL), "SKIPPED: ../shared/published is not there");
    const listings = realListings(REAL);
    const engine = openListings(listings);
    const random = seeded(60);
    const missed: string[] = [];
    let asked = 0;
    while (asked < 600) {
      const { host, name } = pick(random, listings).summary;
      const inName = plainFold(name ?? "").match(/[\p{L}\p{N}]{4,}/gu) ?? [host];
      const word = chance(random, 0.3) ? host : pick(random, inName);
      const q = mistyped(random, word).trim();
      const answers = chance(random, 0.5) ? corrected(engine, q) : correctedTitles(engine, q);
      // Some typos are words that the directory has, or pieces of one.
      if (answers === undefined) continue;
      asked += 1;
      if (!answers.includes(word)) missed.push(`${q} for ${word}: ${answers.join(", ")}`);
    }
    expect(missed.length / asked, missed.join("\n")).toBeLessThanOrEqual(0.15);
  });
});
