import { describe, expect, it } from "vitest";
import { SCRIPTS } from "#scripts/names";
import type { Enrichment } from "../../src/contract/enrichment.js";
import { reportPage } from "../../src/pages/report/report-page.js";
import { all, attributeOf, byId, elementsOf, parsedPage } from "./parsed.js";
import { aFullReport, CONTEXT } from "./reports.js";

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
    expect(scripts).toEqual(asks ? [`../assets/${SCRIPTS.watch.name}`] : []);
    const places = watchers(page);
    expect(places).toHaveLength(asks ? 1 : 0);
    if (!asks) return;
    const news = byId(page, "enrichment-news");
    expect(attributeOf(news, "data-host")).toBe("example.com");
    expect(JSON.parse(attributeOf(news, "data-known") ?? "")).toEqual(known);
  });

  it("copies prompts if there are any, and is absent if there is nothing to do", () => {
    const ready = enrichment("ready");
    const scriptsOf = (changes: Parameters<typeof aFullReport>[1]) =>
      all(parsedPage(reportPage(aFullReport("x", changes), CONTEXT)), "script", "src").map((one) =>
        attributeOf(one, "src"),
      );
    expect(scriptsOf({ enrichment: ready })).toEqual([`../assets/${SCRIPTS.copy.name}`]);
    const both = scriptsOf({ enrichment: enrichment("queued") });
    expect(both).toEqual([`../assets/${SCRIPTS.watch.name}`]);
    expect(scriptsOf({ enrichment: ready, fixes: NO_FIXES })).toEqual([]);
    expect(scriptsOf({ enrichment: null, fixes: NO_FIXES })).toEqual([]);
  });
});

function watchers(page: Parameters<typeof elementsOf>[0]) {
  return elementsOf(page).filter((one) => attributeOf(one, "data-known") !== null);
}
