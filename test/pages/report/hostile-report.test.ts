import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Report } from "../../../src/contract/report.js";
import { anyText } from "../hostile.js";
import { all, attributeOf, byId, skeletonOf, textOf } from "../parsed.js";
import { aFullReport, pageOf } from "../reports.js";

describe("a page of hostile texts", () => {
  const benign = skeletonOf(pageOf(aFullReport("Text")));

  it("has the same elements and attributes as a page of harmless texts", () => {
    const texts = anyText.map((text) => `x ${text}`.slice(0, 120).replace(/\s+/g, " "));
    fc.assert(
      fc.property(texts, (text) => {
        expect(skeletonOf(pageOf(aFullReport(text)))).toEqual(benign);
      }),
      { numRuns: 30 },
    );
  });

  it("links only to http and https addresses, whatever addresses the report has", () => {
    const bad = "javascript:alert(1)";
    const report = aFullReport();
    const page = pageOf({
      ...report,
      site: { ...report.site, url: bad },
      observations: report.observations.map((one) => ({
        ...one,
        url: bad,
        finalUrl: "data:text/html,x",
      })),
      profile: { evidence: [bad] },
      accessPolicy: { ...report.accessPolicy!, url: bad },
      prerender: { ...report.prerender!, sources: [{ label: "x", url: bad }] },
    });
    const addresses = all(page, "a").map((link) => attributeOf(link, "href") ?? "");
    expect(
      addresses.filter(
        (address) =>
          !/^(?:https?:\/\/|#|example\.com|\.\.\/(?:api$|api\/|categories$|compare$|compare\?|checks\/|standards$|trends$|feeds$|changes$|$))/.test(
            address,
          ),
      ),
    ).toEqual([]);
    expect(textOf(page)).toContain(bad);
  });

  it("shows a deep object with any keys as text, down to a limit", () => {
    let deep: object = { "</dd><script>": "</script>" };
    for (let level = 0; level < 190; level += 1) deep = { a: deep };
    const page = pageOf(aFullReport("x", { profile: deep as Report["profile"] }));
    expect(all(page, "script").length).toBe(2);
    expect(textOf(byId(page, "profile"))).toContain("</dd><script>");
  });
});
