import { describe, expect, it } from "vitest";
import type { Enrichment } from "../../src/contract/enrichment.js";
import { reportPage } from "../../src/pages/report-page.js";
import { all, attributeOf, byId, elementsOf, parsedPage } from "./parsed.js";
import { aFullReport, CONTEXT } from "./reports.js";
import { World } from "./world.js";

type State = Enrichment["copy"]["state"];

function enrichment(state: State, nextRetryAt: string | null = null, revision = "r1"): Enrichment {
  return { scanId: "new", revision, copy: { state, nextRetryAt }, starterFiles: null };
}
const answered = (state: State, nextRetryAt: string | null = null, revision = "r1") => ({
  status: 200,
  data: enrichment(state, nextRetryAt, revision),
});

describe("a page asks how far its enrichment is (contract section 3, rule 1)", () => {
  it.each<[State, boolean]>([
    ["queued", true],
    ["generating", true],
    ["delayed", true],
    ["ready", false],
    ["unavailable", false],
  ])("where a state is %s: %s", (state, asks) => {
    const fixes = { data: [], total: 0, limit: 0, hidden: 0 };
    const page = parsedPage(
      reportPage(aFullReport("x", { enrichment: enrichment(state), fixes }), CONTEXT),
    );
    const places = elementsOf(page).filter((one) => attributeOf(one, "data-enrichment") !== null);
    expect(places.map((one) => attributeOf(one, "data-enrichment"))).toEqual(
      asks ? ["../api/sites/example.com/enrichment"] : [],
    );
    expect(all(page, "script", "src").length).toBe(asks ? 1 : 0);
    if (asks) expect(attributeOf(byId(page, "enrichment-news"), "data-revision")).toBe("r1");
  });

  it.each<[State, State, string]>([
    ["delayed", "delayed", "2026-08-09T04:00:00Z"],
    ["delayed", "ready", "2026-08-09T05:00:00Z"],
    ["delayed", "generating", ""],
    ["queued", "ready", ""],
  ])("from when on, where states are %s and %s: %s", (copy, starterFiles, from) => {
    const states = {
      copy: { state: copy, nextRetryAt: copy === "delayed" ? "2026-08-09T05:00:00Z" : null },
      starterFiles: { state: starterFiles, nextRetryAt: "2026-08-09T04:00:00Z" },
    };
    const report = aFullReport("x", { enrichment: { scanId: "new", revision: "r1", ...states } });
    const news = byId(parsedPage(reportPage(report, CONTEXT)), "enrichment-news");
    expect(attributeOf(news, "data-retry")).toBe(from);
  });

  it("only while that is pending: it ends when all is ready, and tells so", async () => {
    const world = new World([
      answered("queued"),
      answered("generating"),
      answered("ready", null, "r2"),
    ]);
    await world.pass(300);
    expect(world.asked).toEqual([15, 30, 45]);
    expect(world.told).toBe("It is done. Load the page again to see what is new.");
    expect(world.timers).toBe(0);
  });

  it("and tells of a new revision meanwhile", async () => {
    const world = new World([answered("queued"), answered("generating", null, "r2")]);
    await world.pass(20);
    expect(world.told).toBe("");
    await world.pass(15);
    expect(world.told).toBe("It has changed. Load the page again to see what is new.");
  });

  it("ends where the report is gone, or has no enrichment any more", async () => {
    for (const reply of [{ status: 404 }, { status: 400 }, { status: 200, data: null }]) {
      const world = new World([reply]);
      await world.pass(3600);
      expect(world.asked).toEqual([15]);
    }
  });

  it("backs off on errors, to five minutes at most, and comes back after one success", async () => {
    const world = new World([
      "lost",
      { status: 503 },
      { status: 502 },
      "lost",
      "lost",
      "lost",
      answered("queued"),
    ]);
    await world.pass(1200);
    expect(world.asked.slice(0, 9)).toEqual([15, 45, 105, 225, 465, 765, 1065, 1080, 1095]);
  });

  it("waits as long as Retry-After says", async () => {
    const world = new World([{ status: 503, retryAfter: "200" }, answered("queued")]);
    await world.pass(230);
    expect(world.asked).toEqual([15, 215, 230]);
  });

  it("does not ask before delayed work may go on, from the page's or an answer's word", async () => {
    const world = new World([answered("delayed", "2026-08-09T00:30:00Z")], "2026-08-09T00:10:00Z");
    await world.pass(1815);
    expect(world.asked).toEqual([600, 1800, 1815]);
  });

  it("not while the page is hidden or the browser offline, and at once when it is back", async () => {
    for (const [away, back] of [
      [{ isHidden: true }, { isHidden: false }],
      [{ isOnline: false }, { isOnline: true }],
    ]) {
      const world = new World([answered("queued")]);
      await world.pass(20);
      await world.become(away!);
      await world.pass(600);
      expect(world.asked).toEqual([15]);
      expect(world.timers).toBe(0);
      await world.become(back!);
      await world.pass(0);
      expect(world.asked).toEqual([15, 620]);
      // Coming back often does not ask more often.
      for (let times = 0; times < 5; times += 1) await world.become(back!);
      await world.pass(14);
      expect(world.asked).toEqual([15, 620]);
      await world.pass(1);
      expect(world.asked).toEqual([15, 620, 635]);
    }
  });

  it("does not ask again while an answer is on its way", async () => {
    const world = new World([answered("queued")]);
    let answer = () => {};
    world.held = new Promise((resolve) => {
      answer = resolve;
    });
    await world.pass(16);
    for (let times = 0; times < 3; times += 1) await world.become({ isOnline: true });
    await world.pass(60);
    expect(world.asked).toEqual([15]);
    answer();
    await world.become({ isOnline: true });
    await world.pass(15);
    expect(world.asked).toEqual([15, 91]);
  });

  it("a page that is opened in the background waits until it is looked at", async () => {
    const world = new World([answered("queued")]);
    await world.become({ isHidden: true });
    await world.pass(100);
    expect(world.asked).toEqual([]);
    await world.become({ isHidden: false });
    await world.pass(0);
    expect(world.asked).toEqual([100]);
  });
});
