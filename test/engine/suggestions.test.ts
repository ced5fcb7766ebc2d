import { describe, expect, it } from "vitest";
import type { Suggestion } from "../../src/contract/listing.js";
import type { MemoryEngine } from "../../src/engine/engine.js";
import { aListing, jsonOf, openListings } from "./directory.js";

function suggested(engine: MemoryEngine, q: string): string[] {
  const { data } = JSON.parse(jsonOf(engine.suggest({ q }))) as { data: Suggestion[] };
  return data.map(({ host }) => host);
}

describe("a listing's summary by its host", () => {
  it("equals the one that a search gives for that host", () => {
    const listings = ["a.org", "ab.org", "lab.com", "lab.com.br", "z.org"].map((host) =>
      aListing(host, { name: "lab.com", tags: [] }),
    );
    const engine = openListings(listings);
    for (const { summary } of listings) {
      expect(JSON.parse(jsonOf(engine.summaryOf(summary.host)!))).toEqual(summary);
    }
    for (const host of ["b.org", "lab.co", "lab.com.b", "lab.com.brr", "zz.org"]) {
      expect(engine.summaryOf(host)).toBeUndefined();
    }
    expect(openListings([]).summaryOf("a.org")).toBeUndefined();
  });
});

describe("suggestions (contract section 4, GET /api/sites/suggestions)", () => {
  it("come in the order exact hosts, exact names, prefixes, substrings; ties by host", () => {
    const engine = openListings([
      aListing("a.org", { name: "Not lab.com" }),
      aListing("b.org", { name: "LAB.com of B" }),
      aListing("lab.com", { name: "Zzz", latestScore: null }),
      aListing("lab.com.br"),
      aListing("z.org", { name: "Lab.COM" }),
      aListing("y.org", { name: "lab.com", latestScore: 1 }),
    ]);
    expect(suggested(engine, "lab.com")).toEqual([
      "lab.com",
      "y.org",
      "z.org",
      "b.org",
      "lab.com.br",
    ]);
    expect(suggested(engine, "ab.com")).toEqual([
      "a.org",
      "b.org",
      "lab.com",
      "lab.com.br",
      "y.org",
    ]);
  });

  it("put a listing into the best class that it reaches", () => {
    const engine = openListings([
      aListing("a.org", { name: "my lab" }),
      aListing("lab.org", { name: "Lab" }),
      aListing("z.org", { name: "labour and lab" }),
    ]);
    expect(suggested(engine, "lab")).toEqual(["lab.org", "z.org", "a.org"]);
    expect(suggested(engine, "lab.org")).toEqual(["lab.org"]);
  });

  it("are the first five of a class by host, not just any five", () => {
    const engine = openListings(
      Array.from({ length: 200 }, (_, at) =>
        aListing(`${String(999 - at)}.org`, { name: at % 2 === 0 ? `Coffee ${at}` : "coffee" }),
      ),
    );
    expect(suggested(engine, "coffee")).toEqual(
      [800, 802, 804, 806, 808].map((number) => `${number}.org`),
    );
    expect(suggested(engine, "coffee ")).toEqual(
      [801, 803, 805, 807, 809].map((number) => `${number}.org`),
    );
    expect(suggested(engine, "offee")).toEqual(
      [800, 801, 802, 803, 804].map((number) => `${number}.org`),
    );
    expect(suggested(engine, "fe")).toEqual(
      [800, 801, 802, 803, 804].map((number) => `${number}.org`),
    );
  });

  it("look at host and name, not at the tagline", () => {
    const engine = openListings([
      aListing("a.org", { name: "Tea", tagline: "coffee" }),
      aListing("b.org", { name: "Coffee" }),
    ]);
    expect(suggested(engine, "coffee")).toEqual(["b.org"]);
    expect(suggested(engine, "co")).toEqual(["b.org"]);
  });

  it("are not ordered by scores or highlights", () => {
    const engine = openListings([
      aListing("b.org", { name: "Lab", latestScore: 100, highlighted: true }),
      aListing("a.org", { name: "Lab", latestScore: null }),
    ]);
    expect(suggested(engine, "lab")).toEqual(["a.org", "b.org"]);
  });

  it("compare folded text, with literal wildcard characters", () => {
    const engine = openListings([
      aListing("a.org", { name: "CAFÉ 100%" }),
      aListing("b.org", { name: "cafe\u0301" }),
      aListing("c.org", { name: "ΣΊΣΥΦΟΣ" }),
    ]);
    expect(suggested(engine, "café")).toEqual(["b.org", "a.org"]);
    expect(suggested(engine, "0%")).toEqual(["a.org"]);
    expect(suggested(engine, "__")).toEqual([]);
    expect(suggested(engine, "σίσυφος")).toEqual(["c.org"]);
  });

  it("have the fields host, name and logoUrl", () => {
    const engine = openListings([aListing("a.org", { logoUrl: "https://a.org/l.png" })]);
    expect(jsonOf(engine.suggest({ q: "a.org" }))).toBe(
      '{"data":[{"host":"a.org","name":null,"logoUrl":"https://a.org/l.png"}]}',
    );
  });
});
