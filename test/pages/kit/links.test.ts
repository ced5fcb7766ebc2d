import { expect, it } from "vitest";
import { linksFrom, rootedLinks } from "../../../src/pages/kit/links.js";

const plain = { links: "files", isPacked: false, hasPages: true, hasAnswers: true } as const;

it("links lead from a page to other addresses: on a server, in files, and in files without .html", () => {
  const places = [{}, { tree: plain }, { tree: { ...plain, links: "clean" } }] as const;
  const linked = (page: string, address: string) =>
    places.map((place) => linksFrom(page, place)(address));
  expect(linked("sites/a.example", "standards#checks")).toEqual([
    "../standards#checks",
    "../standards.html#checks",
    "../standards#checks",
  ]);
  expect(linked("", "sites/a.example")).toEqual([
    "sites/a.example",
    "sites/a.example.html",
    "sites/a.example",
  ]);
  expect(linked("sites/a.example", "")).toEqual(["../", "../", "../"]);
  // A host may have the first page's file under two names, and the query belongs to one of them.
  expect(linked("", "?q=a")).toEqual(["?q=a", "./?q=a", "./?q=a"]);
  expect(linked("", "#results")).toEqual(["#results", "#results", "#results"]);
  expect(linked("standards", "?q=a")).toEqual(["./?q=a", "./?q=a", "./?q=a"]);
  expect(rootedLinks("/base/", places[1])("standards")).toBe("/base/standards.html");
});
