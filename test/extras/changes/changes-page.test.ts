import { describe, expect, it } from "vitest";
import { changesPage } from "../../../src/extras/changes/changes-page.js";
import type { PublicationChanges } from "../../../src/extras/changes/publication-changes.js";
import { theStandards } from "../../fixtures.js";
import { all, attributeOf, parsedPage, textOf } from "../../pages/parsed.js";
import { CONTEXT } from "../../pages/reports.js";

const { checks, rubric } = theStandards();
const site = (host: string, latestScore: number | null) => ({
  host,
  name: null,
  latestScore,
  latestBand: "open",
  latestScoreVersion: rubric.version,
});
const none = { first: [], count: 0 };

function aPublication(): PublicationChanges {
  return {
    since: "2026-08-09",
    changes: {
      added: { first: [site("new.example", null)], count: 40 },
      risen: { first: [{ ...site("up.example", 90), from: 70 }], count: 1 },
      fallen: { first: [{ ...site("down.example", 0), from: 12 }], count: 1 },
      checks: [
        {
          checkId: checks[0]!.id,
          gained: { first: "abcdefg".split("").map((one) => site(`${one}.example`, 1)), count: 7 },
          lost: none,
        },
        {
          checkId: "dropped-since",
          gained: none,
          lost: { first: [site("x.example", 1)], count: 1 },
        },
      ],
    },
  };
}
const pageOf = (publications: readonly PublicationChanges[]) =>
  changesPage(publications, checks, CONTEXT);

describe("the page of what changed", () => {
  it("names sites with their scores before and after, and the checks that they gained or lost", () => {
    const page = parsedPage(pageOf([aPublication()]));
    expect(all(page, "h2").map(textOf)).toEqual(["Published since 9 August 2026"]);
    expect(all(page, "ol").map(textOf)).toEqual([
      "Score 90 up.example +20 from 70",
      "Score 0 down.example −12 from 12",
      "No score — new.example",
    ]);
    expect(textOf(page)).toContain("40 sites; the first 1.");
    const [row, ...others] = all(page, "tr").slice(1).map(textOf);
    expect(others).toEqual([]);
    expect(row).toContain("a.example, b.example, c.example, d.example, e.example and 2 more —");
    const links = all(page, "a").map((one) => attributeOf(one, "href"));
    for (const link of ["sites/up.example", `checks/${checks[0]!.id}`])
      expect(links).toContain(link);
  });

  it.each([
    ["without an earlier publication", [], "There is no earlier publication to compare with yet."],
    ["after too many changes", [{ since: "2026-08-09", changes: null }], "So much has changed"],
    [
      "after none",
      [{ since: "2026-08-09", changes: { added: none, risen: none, fallen: none, checks: [] } }],
      "No score and no check has changed.",
    ],
  ])("says so %s", (_, publications, text) => {
    expect(textOf(parsedPage(pageOf(publications)))).toContain(text);
  });
});
