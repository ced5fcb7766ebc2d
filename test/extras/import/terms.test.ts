import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Terms } from "../../../src/extras/import/terms.js";
import { aFolder, refusal } from "./tables.js";

const PLACE = { file: "a.csv", line: 2 };

/** What a cell of tags becomes: slugs, and what is wrong. */
function read(cell: unknown, list: "tags" | "categories" = "tags") {
  const said: string[] = [];
  const terms = new Terms(list, [
    { slug: "c", name: "C" },
    { slug: "food", name: "Food & drink", formerly: ["food-drink", "Eating"] },
    { slug: "news", name: "Open Data" },
  ]);
  const slugs = terms.slugsIn(cell, PLACE, (message) => said.push(message));
  return { slugs, said, terms };
}

describe("the slug of a new term", () => {
  it.each([
    ["C++", "c-plus-plus"],
    ["C#", "c-sharp"],
    [".NET", "dot-net"],
    ["Node.js", "node-js"],
    ["Bücher", "bucher"],
    ["Łódź", "lodz"],
    ["Øl", "ol"],
    ["Straße", "strasse"],
    ["北京", "beijing"],
    ["  R & D ", "r-d"],
    ["x".repeat(90), "x".repeat(80)],
  ])("of %s is %s", (name, slug) => {
    expect(read(name).slugs).toEqual([slug]);
  });

  it("is refused if another term has it, or if nothing is left", () => {
    const { said } = read(["Ç", "§§", "Łodz", "Lódz"]);
    expect(said).toEqual([
      'found "Ç", whose slug would be "c", as that of "C" in taxonomy.json; give it a slug of its own ' +
        "in a table of terms (import --as tags)",
      expect.stringContaining(
        'found "Lódz", whose slug would be "lodz", as that of "Łodz" in a.csv:2',
      ),
    ]);
    expect(read("!!!").said).toEqual([expect.stringContaining("of which no slug can be made")]);
  });
});

describe("a term", () => {
  it.each([
    ["c", "c"],
    ["C", "c"],
    ["food & drink", "food"],
    ["FOOD_&-DRINK", "food"],
    ["food-drink", "food"],
    ["eating", "food"],
    ["Open data", "news"],
    ["open-data", "news"],
    ["news", "news"],
    ["Ｃ", "c"],
  ])("that taxonomy.json has is found by slug, name or former slug: %s", (cell, slug) => {
    const { slugs, terms } = read(cell);
    expect([slugs, terms.added]).toEqual([[slug], []]);
  });

  it("is one in all spellings; the first one names it, and the others are listed", () => {
    const { slugs, terms } = read("Green Tea; green-tea; GREEN_TEA; green  tea");
    expect(slugs).toEqual(["green-tea"]);
    expect(terms.added).toEqual([{ list: "tags", slug: "green-tea", name: "Green Tea", ...PLACE }]);
    expect(terms.joined.map(({ spelling }) => spelling)).toEqual(["GREEN_TEA", "green  tea"]);
  });
});

describe("a list of terms", () => {
  it.each([
    ["a, b;c|d", ["a", "b", "c", "d"]],
    ['["a","b, x"]', ["a", "b-x"]],
    ["['a', \"it's\"]", ["a", "it-s"]],
    ["NULL", ["null"]],
    ['{a,"b c"}', ["a", "b-c"]],
    ['{"a ""x"" y"}', []],
    ["[]", []],
    ["{}", []],
    [
      ["a", " b "],
      ["a", "b"],
    ],
  ])("may be written as %j", (cell, slugs) => {
    expect(read(cell).slugs).toEqual(slugs);
  });

  it.each(['"a","b"', "[a", "a]", "{a", "'a'", '["a|b"]', '["a"', '[["a"]]', "[{}]", 'say "x"'])(
    "is never part of a name: %s is refused",
    (cell) => {
      const { said, slugs } = read(cell);
      expect(said).not.toEqual([]);
      expect(slugs).toEqual([]);
    },
  );

  it.each(["['a', None]", "['None']", "{a,NULL}", "a, N/A"])(
    "has no word that stands for nothing: %s is refused",
    (cell) => {
      expect(read(cell).said).toEqual([
        expect.stringContaining("in a list of terms; leave it out"),
      ]);
    },
  );

  it("has one category at most", () => {
    expect(read("Arts, crafts", "categories").slugs).toEqual(["arts-crafts"]);
    expect(read("['Arts']", "categories").slugs).toEqual(["arts"]);
    expect(read('["a","b"]', "categories").said).toEqual([
      "found 2 categories, expected one at most",
    ]);
    expect(read("a|b", "categories").said).toEqual([expect.stringContaining("marks of a list")]);
  });

  it("is refused at its line", async () => {
    const { given } = await aFolder();
    expect(await refusal(given("a.csv", "host;tags\na.example;C++\nb.example;[C\n"))).toEqual([
      'a.csv:3 $.tags found "[C", which has marks of a list; write terms with commas between them',
    ]);
  });
});

describe("a table of terms", () => {
  it.each(["categories", "tags"] as const)("is written into taxonomy.json: %s", async (as) => {
    const { published, given, document } = await aFolder();
    await writeFile(join(published, "taxonomy.json"), `{"${as}":[]}`);
    const table = "slug,name,group,order,active\nnews,News,media,7,no\nlodz,Łódź,,,\n";
    const { files, filled } = await given("a.csv", table, { as });
    expect(files).toMatchObject([{ kind: as, paths: ["taxonomy.json"], added: 2 }]);
    expect(filled).toEqual([
      { field: "group", from: '"imported"' },
      { field: "order", from: "as the rows are ordered" },
    ]);
    const terms = [
      { slug: "news", name: "News", group: "media", order: 7, active: false },
      { slug: "lodz", name: "Łódź", group: "imported", order: 2 },
    ];
    expect((await document("taxonomy.json"))[as]).toEqual(terms);
    expect(await refusal(given("b.csv", "slug,name\nnews,X\n", { as }))).toEqual([
      "b.csv:2 $.slug news is in taxonomy.json already; --update changes it",
    ]);
    expect(await refusal(given("b.csv", "slug,name\nx,X\nx,Y\n", { as }))).toEqual([
      "b.csv:3 $.slug is x a second time; the first is b.csv:2",
    ]);
    const updated = await given("b.csv", "slug,name\nnews,X\nlodz,Łódź\nnew,N\n", {
      as,
      update: true,
    });
    expect(updated.files).toMatchObject([{ added: 1, updated: 1, unchanged: 1 }]);
    expect((await document("taxonomy.json"))[as]).toEqual([
      { ...terms[0], name: "X" },
      terms[1],
      { slug: "new", name: "N", group: "imported", order: 3 },
    ]);
  });

  it("replaces no document, even with --replace", async () => {
    const { given, document } = await aFolder();
    const before = await document("taxonomy.json");
    await given("a.csv", "slug,name\nnew,New\n", { as: "tags", replace: true });
    const { tags = [] } = await document("taxonomy.json");
    expect(tags.slice(0, -1)).toEqual(before.tags);
    expect(tags.at(-1)).toMatchObject({ slug: "new" });
    expect(await document("taxonomy.json")).toEqual({ ...before, tags });
  });

  it("may be one of platforms, or of checks, which need an id and a name", async () => {
    const { given, document } = await aFolder();
    await given("p.csv", "slug,name\nwp,WordPress\n", { as: "platforms" });
    expect((await document("taxonomy.json")).platforms?.at(-1)).toEqual({
      slug: "wp",
      name: "WordPress",
    });
    const table = "id,name,maxPoints,block\nrobots,robots.txt,5,1\nfeed,Feed,,\n";
    const { filled } = await given("c.csv", table, { as: "checks" });
    expect(filled.map(({ field }) => field)).toEqual(["kind", "kind", "maxPoints"]);
    expect((await document("standards.json")).checks?.slice(-2)).toEqual([
      { id: "robots", name: "robots.txt", kind: "achievement", maxPoints: 5, block: 1 },
      { id: "feed", name: "Feed", kind: "capability", maxPoints: 0 },
    ]);
    expect(await refusal(given("d.csv", "id,name\nNot a slug,X\n", { as: "checks" }))).toEqual([
      expect.stringContaining('d.csv:2 $.id found "Not a slug", expected a slug'),
    ]);
  });
});
