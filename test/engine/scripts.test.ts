import { describe, expect, it } from "vitest";
import { someOf } from "../slow.js";
import { aListing, aSearch, category, jsonOf, openListings, VOCABULARY } from "./directory.js";
import { matching, naiveFacets, naiveSearch, naiveSuggest } from "./naive.js";

/** Names and taglines by script; each script has words that recur, so that pieces have several hits. */
const TEXTS: Readonly<Record<string, readonly (readonly [name: string, tagline: string])[]>> = {
  "Latin with marks": [
    ["Café Ångström", "Crème brûlée, naïve façade"],
    ["CAFE\u0301 A\u030aNGSTRO\u0308M", "cre\u0300me BRU\u0302LE\u0301E"],
    ["Đặng Việt q\u0323\u0307", "Z\u0327\u030c q\u0307\u0323 ṩ s\u0307\u0323"],
  ],
  "case folds that change length": [
    ["İstanbul ılık", "i\u0307stanbul İİ Iı"],
    ["GROẞ Straße", "STRASSE \ufb01sh \ufb03x \u0149a"],
    ["H\u0331 J\u030c W\u030a", "\u1e96 \u01f0 \u1e98 T\u0308"],
    ["\u1e9e\u01c4 \u01c5 \u01c6", "\u212a \u212b \u2126 \u0345\u0399"],
  ],
  "Greek with final sigma": [
    ["ΟΔΥΣΣΕΥΣ ΣΑΣ", "Ὀδυσσεύς, ὁ σοφός"],
    ["οδυσσευς", "Σίσυφος ΣΊΣΥΦΟΣ σς"],
    ["ᾳ ᾼ ΐ", "\u03b1\u0345 \u03b9\u0308\u0301 ᾈ"],
  ],
  Cyrillic: [
    ["Кофейня Ёлка", "Свежий кофе и чай, ёж"],
    ["КОФЕЙНЯ", "И\u0306од е\u0308лка Ї ґ"],
  ],
  Arabic: [
    ["قَهْوَة الصباح", "قهوة شاي آب"],
    ["شاي", "ا\u0653ب لَّ ل\u064e\u0651"],
  ],
  Hebrew: [
    ["שָׁלוֹם", "שלום בית ספר"],
    ["בית קפה", "ש\u05c1\u05b8לום \ufb2a"],
  ],
  Devanagari: [
    ["कॉफ़ी घर", "नमस्ते क्षत्रिय"],
    ["क\u093cहानी", "क़िला ज्ञान क्षेत्र"],
  ],
  Thai: [
    ["กาแฟดี", "น้ำใจ ที่นี่"],
    ["ร้านกาแฟ", "น\u0e4d\u0e49า นํ้า ก่ำ"],
  ],
  Chinese: [
    ["北京咖啡店", "咖啡，北京的开放数据"],
    ["\u{20bb7}野家 咖啡店", "\uf900豈 \u{2f800}丽 开放数据"],
  ],
  Japanese: [
    ["コーヒー ガラス", "カ\u3099ラス パン"],
    ["こんにちは", "ｶﾞﾗｽ ハ\u309aン こ\u3099"],
  ],
  "Korean, jamo and syllables": [
    ["한국어 커피", "각 가\u11a8 \u1100\u1161 \u1112\u1161\u11ab국"],
    ["\u1112\u1161\u11ab\u1100\u116e\u11a8", "가각 한국"],
  ],
  "emoji and letters beyond the BMP": [
    ["👩‍🚀 Rocket 🚀🪀", "👨‍👩‍👧 family 🇫🇷🇷🇺"],
    ["🚁👍🏽👍", "🏳️‍🌈 ☕️ ☕ 𐐀𐐨 𝒞ode"],
  ],
  "Gothic, whose letters' first unit alone ends a field": [
    ["𐌰𐌱𐌲 abc𐌰", "𐌱𐌲𐌳 abc𐌱𐌰 𐎀𐎁"],
    ["𐌰𐌱𐌲 abc", "𐌰𐌱𐌲 abc𐌰𐌳𐌴𐌵"],
    ["abc", "𐎀𐎁𐌰𐌱𐌲"],
  ],
};

const SCORES = [90, 40, null] as const;
const PLACES = ["art", "food"] as const;

const LISTINGS = Object.entries(TEXTS).flatMap(([, texts], script) =>
  texts.map(([name, tagline], place) =>
    aListing(`n${script}-${place}.example`, {
      name,
      tagline,
      latestScore: SCORES[(script + place) % 3] ?? null,
      category: place === 2 ? null : category(PLACES[place] ?? "zoo"),
      platforms: place === 1 ? ["wp", "shop"] : ["astro"],
      capabilities: script % 2 === 0 ? ["https"] : ["sitemap", "llms-txt"],
    }),
  ),
);
const engine = openListings(LISTINGS);

/** Every piece of 1 to 6 code points of a field, as it is, in either case and decomposed. */
function piecesOf(field: string): Set<string> {
  const characters = Array.from(field);
  const pieces = new Set<string>();
  for (let start = 0; start < characters.length; start += 1) {
    for (let end = start + 1; end <= Math.min(start + 6, characters.length); end += 1) {
      const piece = characters.slice(start, end).join("");
      pieces.add(piece).add(piece.toUpperCase()).add(piece.toLowerCase());
      pieces.add(piece.normalize("NFD"));
    }
  }
  return pieces;
}

/** Expects an answer to say what the model does; `didYouMean` may follow where nothing matches. */
function expectSame(body: Uint8Array, expected: object, q: string, found: boolean): void {
  const json = jsonOf(body);
  const wanted = JSON.stringify(expected);
  if (found) expect(json, JSON.stringify(q)).toBe(wanted);
  else expect(json, JSON.stringify(q)).toContain(`${wanted.slice(0, -1)},"didYouMean":[`);
}

describe("every piece of 1 to 6 characters of every field is found where includes finds it (decisions, Text matching)", () => {
  for (const [script, texts] of Object.entries(TEXTS)) {
    it(`in ${script}`, async () => {
      const pieces = new Set(texts.flat().flatMap((field) => [...piecesOf(field)]));
      let recurring = 0;
      for (const q of someOf([...pieces], 120)) {
        const found = matching(LISTINGS, q, "all").length;
        if (found > 1) recurring += 1;
        const query = aSearch({ q, limit: 100 });
        expectSame(await engine.search(query), naiveSearch(LISTINGS, query), q, found > 0);
        expectSame(await engine.facets({ q }), naiveFacets(LISTINGS, VOCABULARY, { q }), q, true);
        const titled = matching(LISTINGS, q, "titles").length > 0;
        expectSame(await engine.suggest({ q }), naiveSuggest(LISTINGS, q), q, titled);
      }
      expect(pieces.size).toBeGreaterThan(80);
      expect(recurring).toBeGreaterThan(2);
    });
  }

  it("in hosts", async () => {
    for (const q of ["n0", "N1-", "-0.", "0-1.EX", ".EXAMPLE", "n0-0.example", "1-0", "n10-1.e"]) {
      const found = matching(LISTINGS, q, "all").length;
      expect(found).toBeGreaterThan(0);
      const query = aSearch({ q, sort: "host" });
      expectSame(await engine.search(query), naiveSearch(LISTINGS, query), q, true);
      expectSame(await engine.suggest({ q }), naiveSuggest(LISTINGS, q), q, true);
    }
  });
});
