import { describe, expect, it } from "vitest";
import { SCRIPTS } from "#scripts/names";
import type { Report } from "../../src/contract/report.js";
import type { Enrichment } from "../../src/contract/report-parts.js";
import { reportPage } from "../../src/pages/report/report-page.js";
import { all, attributeOf, byId, elementsOf, parsedPage } from "./parsed.js";
import { aFullReport, CONTEXT, reportsOf } from "./reports.js";

type State = Enrichment["copy"]["state"];

function enrichment(state: State): Enrichment {
  const copy = { state, nextRetryAt: null };
  return { scanId: "new", revision: `r1"><script>`, copy, starterFiles: null };
}

const NO_FIXES = { data: [], total: 0, limit: 0, hidden: 0 };

describe("a report page's script", () => {
  // The client's tests say when it asks (test/client/watch.test.ts), test/browser that the page does.
  it.each<[State, boolean]>([
    ["queued", true],
    ["generating", true],
    ["delayed", true],
    ["ready", false],
    ["unavailable", false],
  ])("watches the enrichment if a state is %s: %s", (state, asks) => {
    const known = enrichment(state);
    const report = aFullReport("x", { enrichment: known, fixes: NO_FIXES });
    const page = parsedPage(reportPage(report, CONTEXT));
    const scripts = all(page, "script", "src").map((one) => attributeOf(one, "src"));
    expect(scripts).toEqual([`../assets/${(asks ? SCRIPTS.watch : SCRIPTS.report).name}`]);
    const places = watchers(page);
    expect(places).toHaveLength(asks ? 1 : 0);
    if (!asks) return;
    const news = byId(page, "enrichment-news");
    expect(attributeOf(news, "data-host")).toBe("example.com");
    expect(JSON.parse(attributeOf(news, "data-known") ?? "")).toEqual(known);
  });

  it("is absent if there is nothing to do", () => {
    const ready = enrichment("ready");
    const scriptsOf = (report: Report) =>
      all(parsedPage(reportPage(report, CONTEXT)), "script", "src").map((one) =>
        attributeOf(one, "src"),
      );
    const own = [`../assets/${SCRIPTS.report.name}`];
    expect(scriptsOf(aFullReport("x", { enrichment: ready }))).toEqual(own);
    const watching = scriptsOf(aFullReport("x", { enrichment: enrichment("queued") }));
    expect(watching).toEqual([`../assets/${SCRIPTS.watch.name}`]);
    const { scan, ...others } = aFullReport("x", { enrichment: null });
    const past = { ...others, scan: { ...scan, historical: true } };
    expect(scriptsOf(past)).toEqual(own);
    const bare = { ...past, fixes: NO_FIXES };
    expect(scriptsOf({ ...bare, starterFiles: null })).toEqual([]);
    expect(scriptsOf(bare)).toEqual(own);
    const { latest } = reportsOf({ visibility: "blocked" }, {});
    expect(scriptsOf(latest)).toEqual([]);
  });
});

function watchers(page: Parameters<typeof elementsOf>[0]) {
  return elementsOf(page).filter((one) => attributeOf(one, "data-known") !== null);
}
