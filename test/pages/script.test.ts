import { describe, expect, it } from "vitest";
import { SCRIPTS } from "#scripts/names";
import type { Enrichment, Report } from "../../src/contract/report.js";
import { all, attributeOf, elementsOf } from "./parsed.js";
import { aFullReport, pageOf, reportsOf } from "./reports.js";

type State = Enrichment["copy"]["state"];

function enrichment(state: State): Enrichment {
  const copy = { state, nextRetryAt: null };
  return { scanId: "new", revision: `r1"><script>`, copy, starterFiles: null };
}

const NO_FIXES = { data: [], total: 0, limit: 0, hidden: 0 };

const scriptsOf = (report: Report) =>
  all(pageOf(report), "script", "src").map((one) => attributeOf(one, "src"));

describe("a report page's script", () => {
  // The client's tests say when it asks (test/client/watch.test.ts), test/browser that the page does.
  it.each<[State, "watch" | "report"]>([
    ["queued", "watch"],
    ["generating", "watch"],
    ["delayed", "watch"],
    ["ready", "report"],
    ["unavailable", "report"],
  ])("if a state is %s is the one called %s", (state, script) => {
    const known = enrichment(state);
    const report = aFullReport("x", { enrichment: known, fixes: NO_FIXES });
    expect(scriptsOf(report)).toEqual([`../assets/${SCRIPTS[script].name}`]);
    const page = pageOf(report);
    const news = elementsOf(page).filter((one) => attributeOf(one, "id") === "enrichment-news");
    expect(news.map((one) => JSON.parse(attributeOf(one, "data-known") ?? ""))).toEqual(
      script === "watch" ? [known] : [],
    );
  });

  it("is that of most pages if there is nothing of its own to do", () => {
    const usual = [`../assets/${SCRIPTS.quote.name}`];
    const { scan, ...others } = aFullReport("x", { enrichment: null, fixes: NO_FIXES });
    const past = { ...others, scan: { ...scan, historical: true } };
    expect(scriptsOf(past)).toEqual([`../assets/${SCRIPTS.report.name}`]);
    expect(scriptsOf({ ...past, starterFiles: null })).toEqual(usual);
    expect(scriptsOf(reportsOf({ visibility: "blocked" }, {}).latest)).toEqual(usual);
  });
});
