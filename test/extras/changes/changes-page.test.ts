import { describe, expect, it } from "vitest";
import { changedListPage, changesPage } from "../../../src/extras/changes/changes-page.js";
import { PAGES } from "../../../src/extras/changes/pages.js";
import type { Period, Periods } from "../../../src/extras/changes/periods.js";
import { theStandards } from "../../fixtures.js";
import { all, attributeOf, byClass, parsedPage, textOf } from "../../pages/parsed.js";
import { CONTEXT } from "../../pages/reports.js";

const { checks, rubric } = theStandards();
const names = new Map(checks.map(({ id, name }) => [id, name]));
const NOTHING = {
  risen: [],
  fallen: [],
  scored: [],
  unscored: [],
  new: [],
  returned: [],
  gone: [],
};
const HOSTS = ["up", "down", ..."abcdefg"].map((name) => `${name}.example`);
const SITES = new Map(
  HOSTS.map((host) => [
    host,
    { host, name: null, latestScore: 1, latestBand: "open", latestScoreVersion: rubric.version },
  ]),
);

const CHANGE = {
  publishedAt: "2026-08-09T06:00:00Z",
  gained: checks.slice(0, 2).map(({ id }) => id),
  lost: [],
};
const PERIOD: Period = {
  id: "last",
  days: ["2026-08-09"],
  lists: {
    ...NOTHING,
    risen: [{ ...CHANGE, host: "up.example", from: 0, to: 60, lost: ["dropped-since"] }],
    fallen: [{ ...CHANGE, host: "down.example", from: 1_000, to: 12 }],
  },
  checks: [
    { checkId: checks[0]!.id, gained: HOSTS.slice(2), lost: [] },
    { checkId: "dropped-since", gained: [], lost: ["up.example"] },
  ],
};
const pageOf = (found: Periods) => parsedPage(changesPage(found, SITES, names, CONTEXT));

describe("the page of what changed", () => {
  it("names sites with their scores before and after, and the checks that they gained or lost", () => {
    const page = pageOf({ periods: [PERIOD], isCut: false });
    expect(byClass(page, "moves").map(textOf)).toEqual([
      "up.example 0 → to 60 ▲up 60",
      "down.example 1000 → to 12 ▼down 988",
    ]);
    const rows = all(page, "tr").map(textOf);
    expect(rows.slice(0, 8).map((row) => row.replace(/ (?:They|Their) .*\./, ""))).toEqual([
      "Sites Last publication 9 August 2026",
      "Risen 1",
      "Fallen 1",
      "Newly scored 0",
      "No longer scored 0",
      "New 0",
      "Returned 0",
      "Gone 0",
    ]);
    expect(rows.at(-1)).toContain(
      "a.example, b.example, c.example, d.example, e.example and 2 more —",
    );
    expect(textOf(page)).not.toContain("dropped-since");
    const links = all(page, "a").map((one) => attributeOf(one, "href"));
    for (const link of ["sites/up.example", `checks/${checks[0]!.id}`, "changed/last-risen"])
      expect(links).toContain(link);
    expect(links).not.toContain("changed/last-gone");
  });

  it.each([
    [["2026-08-02", "2026-08-09"], "2 to 9 August 2026"],
    [["2026-07-31", "2026-08-02", "2026-08-09"], "31 July to 9 August 2026"],
    [["2025-08-09", "2026-08-09"], "9 August 2025 to 9 August 2026"],
    [["2025-12-31", "2026-01-09"], "31 December 2025 to 9 January 2026"],
  ])("says which publications a period has: those of %j", (days, text) => {
    const page = pageOf({ periods: [PERIOD, { ...PERIOD, id: "month", days }], isCut: false });
    expect(all(page, "th").map(textOf)).toContain(`30 days publications of ${text}`);
    const name = { period: "month", kind: "risen", page: 1 } as const;
    const list = changedListPage(name, { ...PERIOD, id: "month", days }, SITES, names, CONTEXT);
    expect(textOf(parsedPage(list))).toContain(`30 days, publications of ${text}`);
  });

  it("lists sites with the checks that they gained and lost, and the day of the publication", () => {
    const name = { period: "last", kind: "risen", page: 1 } as const;
    const list = parsedPage(changedListPage(name, PERIOD, SITES, names, CONTEXT));
    const [first, second] = checks.map((check) => check.name);
    expect(byClass(list, "moves").map(textOf)).toEqual([
      `up.example 0 → to 60 ▲up 60 + ${first}, + ${second}, − dropped-since published 9 August 2026`,
    ]);
  });

  it("leads to the feeds of all changes in its first lines, unless the directory has none", () => {
    const linksOf = (extensions?: false) => {
      const context = { ...CONTEXT, pages: PAGES, extensions };
      const page = parsedPage(changesPage({ periods: [], isCut: false }, SITES, names, context));
      const links = all(page, "a").map((one) => attributeOf(one, "href"));
      return links.filter((link) => link === "feeds#changes");
    };
    expect([linksOf(), linksOf(false)]).toEqual([["feeds#changes"], []]);
  });

  it.each([
    [
      "without an earlier publication",
      [],
      false,
      "There is no earlier publication to compare with yet.",
    ],
    ["after too many changes", [], true, "So much has changed"],
    [
      "after too many changes of a longer time",
      [PERIOD],
      true,
      "In a longer time, so much has changed",
    ],
    ["if no score fell", [{ ...PERIOD, lists: NOTHING }], false, "No score fell."],
  ])("says so %s", (_, periods, isCut, text) => {
    expect(textOf(pageOf({ periods, isCut }))).toContain(text);
  });
});
