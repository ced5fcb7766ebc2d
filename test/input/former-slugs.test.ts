import { describe, expect, it } from "vitest";
import { itRefuses, outcomeOf, PLACES, tinyDirectory } from "./tiny.js";

const { taxonomy, standards, scans } = PLACES;

const REMEDY =
  "; a former name leads to one entry: take it out of `formerly`, or remove the entry that still has it";
const second = (name: string, first: string) =>
  `found "${name}" a second time; the first is ${first}${REMEDY}`;

const formerly = (...names: string[]) => `"formerly": ${JSON.stringify(names)}`;
const ANIMALS = `{ "slug": "animals", `;
const WEATHER = `{ "slug": "weather", `;
const HTTPS = `{ "id": "https", `;

describe("a former slug is refused if", () => {
  itRefuses([
    [
      "an entry has it still, even an inactive one, which would hide what the name leads to",
      [taxonomy, ANIMALS, `${ANIMALS}${formerly("pets", "weather")}, `],
      `taxonomy.json:3:46  $.categories[0].formerly[1]  ${second("weather", "$.categories[1].slug")}`,
    ],
    [
      "another entry had it, too",
      [
        [taxonomy, ANIMALS, `${ANIMALS}${formerly("pets")}, `],
        [taxonomy, WEATHER, `${WEATHER}${formerly("pets")}, `],
      ],
      `taxonomy.json:4:39  $.categories[1].formerly[0]  ${second("pets", "$.categories[0].formerly[0]")}`,
    ],
    [
      "it is the present one",
      [standards, HTTPS, `${HTTPS}${formerly("https")}, `],
      `standards.json:13:35  $.checks[0].formerly[0]  ${second("https", "$.checks[0].id")}`,
    ],
    [
      "it is no slug",
      [taxonomy, ANIMALS, `${ANIMALS}${formerly("Food & Drink")}, `],
      "taxonomy.json:3:39  $.categories[0].formerly[0]  " +
        'found "Food & Drink", expected a slug: lowercase letters, digits and single hyphens, at most 80 characters',
    ],
    [
      "a check refers to another one by it",
      [[standards, `{ "id": "robots", `, `{ "id": "robots-txt", ${formerly("robots")}, `]],
      'standards.json:15:73  $.checks[0].related[0]  found "robots", expected the id of a check; ' +
        'it is called "robots-txt" now',
    ],
  ]);
});

describe("a former slug", () => {
  it("may be that of an entry which is gone, or of another list", async () => {
    const { problems, warnings, listings } = await outcomeOf([
      [taxonomy, ANIMALS, `{ "slug": "pets", ${formerly("animals", "free", "web")}, `],
      [standards, HTTPS, `{ "id": "tls", ${formerly("https")}, `],
    ]);
    expect([problems, warnings]).toEqual([[], []]);
    expect(listings[0]?.listing.category).toBe("animals");
  });

  it("cannot stand beside the present one in a scan, where one result of a check counts", async () => {
    const check = (checkId: string) => ({
      checkId,
      checkVersion: 1,
      title: "",
      label: "",
      kind: "achievement",
      status: "pass",
      points: 1,
      maxPoints: 1,
      lifecycle: "active",
      details: {},
    });
    const fix = {
      checkId: "ssl",
      title: "",
      kind: "",
      status: "fail",
      recoverablePoints: 1,
      prompt: "",
      promptStatus: "archived",
    };
    const a3 = (...ids: string[]) => ({
      host: "alpha.example",
      id: `a${ids.join("")}`,
      status: "complete",
      finishedAt: "2026-01-01T00:00:00Z",
      checks: ids.map(check),
      fixes: [fix],
    });
    const files = tinyDirectory();
    const { problems, warnings } = await outcomeOf({
      [standards]: String(files[standards]).replace(
        HTTPS,
        `{ "id": "tls", ${formerly("https", "ssl")}, `,
      ),
      [scans]: [a3("ssl", "robots"), a3("ssl", "tls"), a3("https", "ssl"), a3("ssl", "gone")]
        .map((scan) => JSON.stringify(scan))
        .join("\n"),
      "listings/ab.ndjson": String(files["listings/ab.ndjson"]).replace(
        ',"publishedScan":"a2"',
        "",
      ),
    });
    const both = (id: string, other: string) =>
      `found "${id}", which is called "tls" now, beside "${other}": a scan has one result of a check; ` +
      "remove one of them";
    expect(problems.map((line) => line.split("  ").slice(1).join("  "))).toEqual([
      `$.checks[0].checkId  ${both("ssl", "tls")}`,
      `$.checks[1].checkId  ${both("ssl", "https")}`,
    ]);
    expect(warnings.map((line) => line.split("  ").slice(1).join("  "))).toEqual([
      '$.checks[1].checkId  found "gone", which is not a check in standards.json',
    ]);
  });
});
