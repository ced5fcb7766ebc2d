import { describe, expect, it } from "vitest";
import { directoryContext } from "../../../src/compile/directory.js";
import { compileListing } from "../../../src/compile/listing.js";
import { Listing, Scan } from "../../../src/input/checking/schemas.js";
import { aListing, published, theDirectory, theStandards, theTaxonomy } from "../../fixtures.js";
import { repeated } from "../../slow.js";
import { outcomeOf } from "../tiny.js";
import { FULL_SCAN as FULL } from "./full-scan.js";

type Json = Record<string, unknown>;

/** A copy without its keys that are null or an empty array, at any depth. */
function least(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(least);
  if (typeof value !== "object" || value === null) return value;
  const kept = Object.entries(value).filter(
    ([, item]) => item !== null && !(Array.isArray(item) && item.length === 0),
  );
  return Object.fromEntries(kept.map(([key, item]) => [key, least(item)]));
}

/** The paths of all keys that are null or an empty array. */
function* loose(value: unknown, path: string[] = []): Generator<string[]> {
  if (typeof value !== "object" || value === null) return;
  for (const [key, item] of Object.entries(value)) {
    const below = [...path, key];
    if (item === null || (Array.isArray(item) && item.length === 0)) yield below;
    else yield* loose(item, below);
  }
}

function without(value: unknown, path: readonly string[]): unknown {
  const copy = structuredClone(value) as Json;
  let place = copy;
  for (const step of path.slice(0, -1)) place = place[step] as Json;
  delete place[path.at(-1)!];
  return copy;
}

function answersOf(scan: unknown): string {
  const context = directoryContext(theDirectory(), theStandards(), theTaxonomy());
  const listing = aListing({ entitlements: { fixPrompts: null, starterFiles: true } });
  return JSON.stringify(compileListing(listing, published(Scan.parse(scan)), context));
}

describe("nullable keys and arrays of a scan's objects may be left out", () => {
  const paths = [...loose(FULL)];

  it("each alone and all at once, and the answers have every key, in the contract's order", () => {
    expect(paths.length).toBe(24);
    for (const path of paths) {
      expect([path, answersOf(without(FULL, path))]).toEqual([path, answersOf(FULL)]);
    }
    expect(answersOf(least(FULL))).toBe(answersOf(FULL));
  });

  it("every other key is required", () => {
    for (const path of [
      ["checks", "0", "details"],
      ["fixes", "0", "promptStatus"],
      ["enrichment", "copy"],
      ["pages", "version"],
      ["accessPolicy", "rows", "0", "id"],
    ]) {
      expect(Scan.safeParse(without(FULL, path)).success, path.join(".")).toBe(false);
    }
  });
});

describe("how long texts may be", () => {
  const listing = { host: "example.com", url: "https://example.com/", status: "claimed" };

  it.each([
    ["name", 1_000, ""],
    ["tagline", 2_000, ""],
    ["description", 20_000, ""],
    ["url", 2_048, "https://example.com/"],
    ["logoUrl", 2_048, "https://example.com/"],
    ["ogImageUrl", 2_048, "https://example.com/"],
  ])("a listing's %s: %d characters, however many units they take", (key, max, begin) => {
    for (const character of ["x", "\u{1f600}"]) {
      const text = begin + character.repeat(max - begin.length);
      const isTaken = (value: string) => Listing.safeParse({ ...listing, [key]: value }).success;
      expect([isTaken(text), isTaken(`${text}x`)]).toEqual([true, false]);
    }
  });

  it("a text of megabytes is refused at its place, in a line that quotes its beginning", async () => {
    const name = "n".repeat(repeated(1, 15) * 1024 * 1024);
    const record = JSON.stringify({ ...listing, name });
    const { problems } = await outcomeOf({ "listings/long.ndjson": `${record}\n${record}` });
    expect(problems.filter((line) => line.includes("$.name"))).toEqual(
      [1, 2].map(
        (line) =>
          `listings/long.ndjson:${line}:${record.indexOf(name)}  $.name  found "${"n".repeat(60)}…", which ` +
          "must have at most 1,000 characters",
      ),
    );
  });
});
