import { describe, expect, it } from "vitest";
import type { SiteSummary } from "../../src/contract/listing.js";
import { addWords, commonWords, correct, WordTree } from "../../src/engine/corrections.js";
import type { MemoryEngine } from "../../src/engine/engine.js";
import { pick, seeded } from "../oracle/random.js";
import { fold } from "../oracle/text.js";
import { aListing, aSearch, openListings } from "./directory.js";
import { type FoldedFields, joinText } from "./rankings.js";

async function corrected(engine: MemoryEngine, q: string): Promise<readonly string[] | null> {
  return (await engine.search(aSearch({ q }))).didYouMean;
}

function foldedFields({ host, name, tagline }: SiteSummary): FoldedFields {
  return { host, name: fold(name ?? ""), tagline: fold(tagline ?? "") };
}

function treeOf(fields: readonly FoldedFields[]): WordTree {
  const tree = new WordTree();
  for (const _ of addWords(tree, commonWords(joinText(fields))));
  return tree;
}

const LISTINGS = [
  aListing("rocketlab.com", { name: "Rocket Lab", tagline: "Launches small satellites" }),
  aListing("coffee-shop.org", { name: "Café Московский", tagline: "Coffee, tea and cake" }),
  aListing("open-data.gov", { name: "Open Data", tagline: "Numbers for everyone" }),
  aListing("weather.io", { name: "Weather", tagline: "Tomorrow's forecast: 北京咖啡馆" }),
];

describe("didYouMean", () => {
  const engine = openListings(LISTINGS);

  it("never has pieces of Punycode, which stand for other words", async () => {
    const hosts = ["xn--bcher-kva.example", "xn--mnchen-3ya.example", "lab.example"];
    const some = openListings(hosts.map((host) => aListing(host, { name: null, tagline: null })));
    for (const q of ["bücher", "bchre", "mnchenn", "kvaa", "xn--"]) {
      expect([q, await corrected(some, q)]).toEqual([q, q === "xn--" ? null : []]);
    }
    expect(await corrected(some, "labb")).toEqual(["lab"]);
  });

  it("has no word for two letters that no site has: nearly every short word is one edit away", async () => {
    const some = openListings([aListing("in.example", { name: "An AI on it", tagline: null })]);
    expect(await corrected(some, "xn")).toEqual([]);
    expect(await corrected(some, "aii")).toEqual(["ai"]);
  });

  it("ignores the other filters, the page and the limit if q matches nothing", async () => {
    const query = aSearch({ q: "rokcet", status: "claimed", page: 9, limit: 1, minScore: 99 });
    expect((await engine.search(query)).didYouMean).toEqual(["rocket"]);
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
    it(`of ${q} begins with ${expected}`, async () => {
      expect((await corrected(engine, q))?.[0]).toBe(expected);
    });
  }

  it("prefers the word in more listings among equally near words", async () => {
    const many = openListings([
      aListing("a.org", { name: "bard" }),
      aListing("b.org", { name: "bark" }),
      aListing("c.org", { name: "bark" }),
      aListing("d.org", { name: "barn" }),
      aListing("e.org", { name: "barn" }),
      aListing("f.org", { name: "barn" }),
      aListing("g.org", { name: "baru" }),
    ]);
    expect(await corrected(many, "barx")).toEqual(["barn", "bark", "bard"]);
  });

  it("prefers to replace a word that the directory does not have", async () => {
    const some = openListings([
      aListing("a.org", { name: "ted artful" }),
      aListing("b.org", { name: "ted" }),
      aListing("c.org", { name: "tea ark" }),
    ]);
    expect(await corrected(some, "tea art")).toEqual(["tea ark", "ted art"]);
  });

  it("proposes nothing that is too short or too long for a query", async () => {
    const tagline = `${"alpha bravo charlie delta echo ".repeat(4)}`.slice(0, 121);
    const edges = openListings([aListing("x.yz", { name: "q", tagline })]);
    expect(await corrected(edges, "q1")).toEqual([]);
    const longest = tagline.slice(0, 120);
    expect(await corrected(edges, longest.replace("bravo", "brvo"))).toEqual([longest]);
    expect(await corrected(edges, tagline.replace("bravo", "brvo"))).toEqual([]);
  });

  it("does not check an empty text against the listings", async () => {
    const tree = treeOf(LISTINGS.map(({ summary }) => foldedFields(summary)));
    const asked: string[] = [];
    const hasAny = (one: string) => {
      asked.push(one);
      return false;
    };
    for (const q of ["!!!", "--", "🚀", "!rokcet!", "-", "..a"]) correct(q, tree, { hasAny });
    expect(asked).toContain("rocket");
    expect(asked).not.toContain("");
  });

  it("does not check a text that contains the query, or a part known to be in no listing", async () => {
    const tree = treeOf(LISTINGS.map(({ summary }) => foldedFields(summary)));
    let most = 0;
    for (const q of ["rokcet lab", "opendat", "ope dta", "coffe-shp.org", "rocke", "wether!"]) {
      const asked: string[] = [];
      correct(q, tree, {
        hasAny: (one) => {
          expect([q, ...asked].filter((other) => one.includes(other))).toEqual([]);
          asked.push(one);
          return false;
        },
      });
      most = Math.max(most, asked.length);
    }
    expect(most).toBeGreaterThan(1);
  });

  it("corrects one word of a host with many words", async () => {
    const host = "docs.api.open-data.gov.uk";
    const tree = treeOf([
      { host, name: "", tagline: "" },
      { host: "dock.apx.opel-date.com", name: "", tagline: "" },
    ]);
    const hasAny = (one: string) => host.includes(one);
    for (const typed of [
      "docs.api.open-dta.gov.uk",
      "docs.aip.open-data.gov.uk",
      "docs.api.open-data.gvo.uk",
    ]) {
      expect(correct(typed, tree, { hasAny })).toEqual([host]);
    }
  });

  it("finds a text however many better listings have all of its parts, but apart", async () => {
    const filler = (number: number) =>
      aListing(`${String(number).padStart(3, "0")}.org`, {
        // Both grams of twelve units, the longest there are, in words that no typo makes of the text.
        name: "qqqqqqqqabcdabcdabcd bcdabcdabcdaqqqqqqqq",
        latestScore: 90,
      });
    const edges = (before: number) =>
      openListings([
        ...Array.from({ length: before }, (_, number) => filler(number)),
        aListing("z.org", { name: "abcdabcdabcda", latestScore: 50 }),
      ]);
    expect(await corrected(edges(400), "abcdabcdabxda")).toEqual(["abcdabcdabcda"]);
  });

  it("looks up at most 24 prefixes, even for 120 characters without a good answer", async () => {
    const random = seeded(21);
    const tree = treeOf(LISTINGS.map(({ summary }) => foldedFields(summary)));
    let most = 0;
    const words = ["rokcet", "lab", "opne", "dta", "wether", "teh", "北京", "q", "--", "🚀"];
    for (let made = 0; made < 200; made += 1) {
      let q = "";
      while (q.length < 120) q += pick(random, words) + pick(random, [" ", " ", "-", "", ","]);
      let lookups = 0;
      correct(q.slice(0, 120).trim(), tree, {
        hasAny: (text) => {
          lookups += 1;
          return text.length < 100;
        },
      });
      expect(lookups).toBeLessThanOrEqual(24);
      most = Math.max(most, lookups);
    }
    expect(most).toBe(24);
  });
});

describe("didYouMean in any script", () => {
  const engine = openListings([
    aListing("kofe.ru", { name: "Кофейня на Невском", tagline: "Свежая выпечка" }),
    aListing("vivlia.gr", { name: "Βιβλιοθήκη Αθηνών", tagline: "Ανοιχτά δεδομένα" }),
    aListing("toshokan.jp", { name: "東京図書館", tagline: "コーヒーと本" }),
    aListing("doseogwan.kr", { name: "서울도서관" }),
    aListing("kahve.tr", { name: "Kahve Dükkânı" }),
    aListing("maktaba.org", { name: "مكتبة الإسكندرية" }),
    aListing("lipi.in", { name: "देवनागरी लिपि" }),
    aListing("deseret.us", { name: "𐐔𐐯𐑅𐐨𐑉𐐯𐐻 books" }),
  ]);
  const typos: Record<string, string> = {
    "кофйеня на невском": "кофейня на невском",
    выпчека: "выпечка",
    вывечка: "выпечка",
    "βιβλιθήκη αθηνών": "βιβλιοθήκη αθηνών",
    δεδομέένα: "δεδομένα",
    東亰図書館: "東京図書館",
    東京図館: "東京図書館",
    東図京書館: "東京図書館",
    コーヒ一と本: "コーヒーと本",
    서울도시관: "서울도서관",
    "kahve dükkâni": "kahve dükkânı",
    "مكتبة الاسكندرية": "مكتبة الإسكندرية",
    देवनगरी: "देवनागरी",
    𐐼𐐯𐑅𐐨𐑉𐐯𐑅: "𐐼𐐯𐑅𐐨𐑉𐐯𐐻",
  };
  for (const [q, expected] of Object.entries(typos)) {
    it(`of ${q} begins with ${expected}`, async () => {
      expect((await corrected(engine, q))?.[0]).toBe(expected);
    });
  }
});
