import { describe, expect, it } from "vitest";
import { facetGroups, facetsView } from "../../src/pages/explorer/facets.js";
import { readState } from "../../src/pages/explorer/search-state.js";
import { theStandards } from "../fixtures.js";
import { aDirectory, found } from "./example-sites.js";
import { all, attributeOf, byId, parsedPiece, textOf } from "./parsed.js";

const filters = (query: string, what: Parameters<typeof facetsView>[2] = found("Name")) =>
  parsedPiece(facetsView(readState(query), aDirectory(), what).markup);

describe("the choices", () => {
  const items = (query: string, name: string) =>
    facetGroups(readState(query), aDirectory(), found(""))
      .find((group) => group.name === name)
      ?.items.map(({ value, count, isChosen }) => [value, count, isChosen]);

  it("include every category, sorted by count, and equal ones in the directory's order", () => {
    expect(items("", "category")).toEqual([
      ["b", 9, false],
      ["animals", 9, false],
      ["a", 3, false],
      ["c", 0, false],
    ]);
  });

  it("include an unknown value that is chosen, so that it can be removed", () => {
    expect(items("category=gone&category=a", "category")?.slice(2)).toEqual([
      ["a", 3, true],
      ["c", 0, false],
      ["gone", 0, true],
    ]);
  });

  it("show no count for a band or passed check of another scoring version, as its sites are not counted", () => {
    expect(items("capability=x", "capability")).toEqual([
      ["https", 2, false],
      ["search", 0, false],
      ["x", null, true],
    ]);
    expect(items("band=fine-enough", "band")?.at(-1)).toEqual(["fine-enough", null, true]);
  });

  it("show a counted value without a name by its slug, as words", () => {
    const what = found("Name");
    const platforms = [{ slug: "static-site", count: 3 }] as typeof what.facets.platforms;
    const counts = { ...what, facets: { ...what.facets, platforms } };
    const groups = facetGroups(readState(""), aDirectory(), counts);
    expect(groups.find(({ name }) => name === "platform")?.items).toEqual([
      { value: "static-site", label: "Static site", count: 3, isChosen: false },
    ]);
  });

  it("list the rubric's bands, best first, and do not count tags", () => {
    const { bands } = theStandards().rubric;
    expect(items("", "band")?.map(([value]) => value)).toEqual(
      bands.map(({ band }) => band).reverse(),
    );
    expect(items("tag=free", "tag")).toEqual([["free", null, true]]);
  });

  it("are limited to the number that the API accepts, and can be removed", () => {
    const query = "abcdefghij"
      .split("")
      .map((slug) => `category=${slug}`)
      .join("&");
    const boxes = all(filters(query), "input").filter(
      (one) => attributeOf(one, "name") === "category",
    );
    const free = boxes.filter((one) => attributeOf(one, "disabled") === null);
    expect(free.every((one) => attributeOf(one, "checked") !== null)).toBe(true);
    expect([boxes.length, free.length]).toEqual([11, 10]);
  });

  it("say that the limit is reached only if there are more", () => {
    const isSaid = (query: string, name: string) =>
      all(byId(filters(query), `facet-${name}`), "p")
        .filter((one) => textOf(one) === "You cannot choose more than these.")
        .map((one) => attributeOf(one, "hidden") === null);
    const ten = "abcdefghij".replace(/./g, "&category=$&");
    expect(isSaid(ten, "category")).toEqual([true]);
    expect(isSaid("category=a", "category")).toEqual([false]);
    const bands = theStandards().rubric.bands.map(({ band }) => `band=${band}`);
    expect(isSaid(bands.join("&"), "band")).toEqual([false]);
  });

  it("leave out what finds nothing if nothing is found at all, but for what is chosen", () => {
    const none = found("Name", {}, 0);
    const categories = none.facets.categories.items.map((one) => ({ ...one, count: 0 }));
    const signals = none.facets.signals.map((one) => ({ ...one, count: 0 }));
    const facets = { ...none.facets, categories: { total: 0, items: categories }, signals };
    const page = filters("q=x&category=a", { ...none, facets });
    const seen = all(page, "li").filter((one) => attributeOf(one, "hidden") === null);
    const values = seen.map((one) => attributeOf(all(one, "input")[0]!, "value"));
    expect(values).toContain("a");
    for (const empty of ["b", "c", "https"]) expect(values).not.toContain(empty);
    expect(attributeOf(byId(page, "facet-capability"), "hidden")).not.toBeNull();
    expect(attributeOf(byId(page, "facet-category"), "hidden")).toBeNull();
  });

  it("are folded from the ninth on, unless one of these is chosen", () => {
    const many = Array.from({ length: 30 }, (_, i) => ({
      slug: `c${i}`,
      name: `C${i}`,
      group: "g",
      order: i,
      count: 30 - i,
    }));
    const what = found("");
    const facets = { ...what.facets, categories: { total: 1, items: many } };
    const foldOf = (query: string) => {
      const group = byId(filters(query, { ...what, facets }), "facet-category");
      const [, fold] = all(group, "details");
      return [textOf(all(fold!, "summary")[0]!), attributeOf(fold!, "open") !== null];
    };
    expect(foldOf("category=c20")).toEqual(["22 more", true]);
    expect(foldOf("category=c2")).toEqual(["22 more", false]);
  });

  it("have no counts without an API, and then include only those that need none", () => {
    const page = filters("", null);
    expect(all(page, "details").map((one) => attributeOf(one, "id"))).toEqual([
      "facet-band",
      "facet-tag",
    ]);
    expect(textOf(page)).not.toMatch(/\d/);
  });
});
