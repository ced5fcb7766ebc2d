import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import type { Report } from "../../src/contract/report.js";
import type { Standards } from "../../src/contract/standards.js";
import type { RunningServer } from "../../src/server/server.js";
import { currentId } from "../../src/store/reader.js";
import { answersIn } from "../store/answers.js";
import {
  type Browser,
  expectAccessible,
  expectForEverybody,
  type Page,
  watched,
  withPage,
} from "./browsers.js";
import { HAS_BROWSER, visiting } from "./visits.js";

const EXPECTED = [
  "latest, complete, scored",
  "latest, failed, no score",
  "latest, moved, no score",
  "historical, complete, scored",
  "capped",
  "history",
  "access",
  "prompts",
  "bare",
  "prerender",
  "starter files",
  "copy generating",
];

let browser: Browser;
let server: RunningServer;
/** A page's path for each trait that a report can have. */
const states = new Map<string, string>();

visiting({ listings: 300, seed: 3 }, async (visit) => {
  ({ browser, server } = visit);
  const answers = await answersIn(visit.store, (await currentId(visit.store)) ?? "");
  for (const [host, { historical }] of Object.entries(answers)) {
    for (const scan of [null, ...historical.map(([scan]) => scan)]) {
      const query = scan === null ? "" : `?scan=${scan}`;
      const reply = await fetch(`${server.url}/api/sites/${host}/report${query}`);
      const { data } = (await reply.json()) as { data: Report };
      const path = `/sites/${host}${query}`;
      for (const trait of traitsOf(data)) if (!states.has(trait)) states.set(trait, path);
    }
  }
});

/** What of a report a page depends on most. */
function traitsOf({ scan, enrichment, ...report }: Report): string[] {
  const { history, accessPolicy, fixes, checks, prerender, starterFiles } = report;
  const kind = scan.historical ? "historical" : "latest";
  const traits: Record<string, boolean> = {
    [`${kind}, ${scan.status}, ${scan.score === null ? "no score" : "scored"}`]: true,
    capped: scan.cappedAt !== null,
    history: !scan.historical && (history?.length ?? 0) > 2,
    access: accessPolicy !== null,
    prompts: fixes.data.some(({ prompt }) => prompt !== null),
    "fixes to add up":
      !scan.historical &&
      scan.cappedAt === null &&
      scan.scoreVersion === "2026.1" &&
      fixes.data.filter(({ status, recoverablePoints }) => status !== "na" && recoverablePoints > 0)
        .length > 3,
    bare: checks.length === 0,
    prerender: prerender !== null,
    "starter files": starterFiles !== null,
    [`copy ${enrichment?.copy.state}`]: enrichment !== null,
  };
  return Object.keys(traits).filter((trait) => traits[trait]);
}

/** The path of a report that has a trait. */
function pathWith(trait: string): string {
  const path = states.get(trait);
  expect([trait, path]).toEqual([trait, expect.any(String)]);
  return path ?? "";
}

/** The label of the band that has a score. */
async function bandOf(score: string): Promise<string | undefined> {
  const reply = await fetch(`${server.url}/api/standards`);
  const { data } = (await reply.json()) as { data: Standards };
  return data.rubric.bands.find(({ min, max }) => min <= Number(score) && Number(score) <= max)
    ?.label;
}

/** Expects news of the enrichment to come, by and by. @param stepMs how far the page's clock runs at a time */
async function expectNews(page: Page, stepMs: number, news: string): Promise<void> {
  await expect
    .poll(async () => {
      await page.clock.runFor(stepMs);
      return page.locator("#enrichment-news").textContent();
    })
    .toBe(news);
}

describe.skipIf(!HAS_BROWSER)("a report's page in a browser", () => {
  it("has no axe-core violations in any state and either colour scheme, and nothing wider than the " +
    "window", async () => {
    expect([...states.keys()]).toEqual(expect.arrayContaining(EXPECTED));
    const context = await browser.newContext();
    const page = await context.newPage();
    const complaints = watched(page, server.url);
    for (const path of new Set(states.values())) {
      await page.goto(server.url + path);
      await expectForEverybody(page);
    }
    expect(complaints).toEqual([]);
    await page.goto(`${server.url}/sites/nowhere.example`);
    expect(await page.locator("h1").textContent()).toBe("Not listed yet");
    await expectAccessible(page);
    await context.close();
    // Every state is looked at six times: a busy machine takes more than the usual time.
  }, 900_000);

  it("can be read, unfolded and navigated without a script", async () => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    const path = pathWith("history");
    await page.goto(server.url + path);
    expect(await page.locator("h1").textContent()).toBe(path.slice("/sites/".length));
    await page.keyboard.press("Tab");
    expect(await page.locator(":focus").textContent()).toBe("Skip to the report");
    await page.locator("summary").first().click();
    await expect.poll(() => page.locator("details[open]").count()).toBe(1);
    // A link to a folded check unfolds its group.
    const passed = page.locator(".squares .pass").first();
    const target = (await passed.getAttribute("href")) ?? "";
    expect(await page.locator(`details:not([open]) ${target}`).count()).toBe(1);
    await passed.click();
    await expect.poll(() => page.locator(`details[open] ${target}`).count()).toBe(1);
    await expect.poll(() => page.locator(target).isVisible()).toBe(true);
    await page.locator("#history tbody a").first().click();
    await expect.poll(() => page.url()).toContain("?scan=");
    await expect
      .poll(() => page.locator(".notice").first().textContent())
      .toContain("This is a historical report.");
    await page.goBack();
    await page.locator("footer a", { hasText: "Markdown" }).click();
    await expect.poll(() => page.content()).toContain(`# ${path.slice("/sites/".length)}: `);
    await context.close();
  });

  it("polls its enrichment, but not while the network is lost", async () => {
    const pending = pathWith("copy generating");
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.clock.install();
    const asked: string[] = [];
    page.on("request", (request) => {
      if (request.url().endsWith("/enrichment")) asked.push(request.url());
    });
    await page.goto(server.url + pending);
    await page.clock.runFor(20_000);
    await expect.poll(() => asked.length).toBe(1);
    expect(asked[0]).toBe(`${server.url}/api${pending}/enrichment`);
    await context.setOffline(true);
    await page.clock.runFor(60_000);
    expect(asked.length).toBe(1);
    await context.setOffline(false);
    // It was due long ago: it asks at once.
    await page.clock.runFor(1_000);
    await expect.poll(() => asked.length).toBe(2);
    await page.route("**/enrichment", (route) =>
      route.fulfill({
        json: {
          data: {
            scanId: "x",
            revision: "another",
            copy: { state: "ready", nextRetryAt: null },
            starterFiles: null,
          },
        },
      }),
    );
    // It asks half as often as long as nothing changes; an answer takes no time of the page's clock.
    await expectNews(page, 5_000, "It is done. Load the page again to see what is new.");
    await page.clock.runFor(600_000);
    expect(asked.length).toBe(3);
    await expectAccessible(page);
    await context.close();
  });

  it("says that content that will not be generated has changed, not that it is done", async () => {
    await withPage(browser, "about:blank", async (page) => {
      await page.clock.install();
      const copy = { state: "unavailable", nextRetryAt: null };
      const data = { scanId: "x", revision: "another", copy, starterFiles: null };
      await page.route("**/enrichment", (route) => route.fulfill({ json: { data } }));
      await page.goto(server.url + pathWith("copy generating"));
      await expectNews(page, 20_000, "It has changed. Load the page again to see what is new.");
      await page.clock.runFor(60_000);
      await expect
        .poll(() => page.locator("#enrichment-news").textContent())
        .toContain("It has changed.");
    });
  });

  it("shows the score, the band and the place with the fixes that are ticked, which the address keeps", async () => {
    const path = pathWith("fixes to add up");
    const { data } = (await (await fetch(`${server.url}/api${path}/report`)).json()) as {
      data: Report;
    };
    await withPage(browser, server.url + path, async (page) => {
      const complaints = watched(page, server.url);
      const boxes = page.getByRole("checkbox", { name: /^Fixed/ });
      const panel = page.locator("#fixing");
      await expect.poll(() => boxes.first().isEnabled()).toBe(true);
      expect(await panel.isVisible()).toBe(false);
      const ids: (string | null)[] = [];
      for (const at of [0, 1]) {
        await boxes.nth(at).press("Space");
        ids.push(await boxes.nth(at).getAttribute("value"));
      }
      const points = ids.reduce((sum, id) => {
        const { kind, ...check } = data.checks.find(({ checkId }) => checkId === id)!;
        return sum + (kind === "penalty" ? -check.points : check.maxPoints - check.points);
      }, 0);
      const { block1, block2, penalties } = data.scan;
      const sum = (block1 ?? 0) + (block2 ?? 0) - Math.abs(penalties ?? 0) + points;
      const score = `${Math.min(100, Math.max(0, Math.round(sum)))}`;
      const found = await bandOf(score);
      await expect.poll(() => page.locator("#fixed-score").textContent()).toBe(score);
      expect(await page.locator("#fixed-band").textContent()).toBe(found);
      await expect
        .poll(() => page.locator("#fixing-told").textContent())
        .toMatch(/^With 2 fixes: \d+ of 100\. .*Would be \d+\w\w of \d+ in .*; now \d+\w\w$/);
      expect(new URL(page.url()).search).toBe(`?fixed=${ids.join(",")}`);
      await expectForEverybody(page);
      await page.reload();
      await expect.poll(() => page.locator("#fixed-score").textContent()).toBe(score);
      expect(await page.locator(".tick :checked").count()).toBe(2);
      await page.locator("#unfix").press("Enter");
      expect(await panel.isVisible()).toBe(false);
      expect(page.url()).toBe(server.url + path);
      expect(await boxes.first().evaluate((one) => one === one.ownerDocument.activeElement)).toBe(
        true,
      );
      expect(complaints).toEqual([]);
    });
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(`${server.url}${path}?fixed=${data.fixes.data[0]?.checkId}`);
    expect(await page.locator(".tick:visible, #fixing:visible").count()).toBe(0);
    await context.close();
  });

  it("keeps one line of the score with fixes in view on a phone, and the rest at its own place", async () => {
    await withPage(
      browser,
      server.url + pathWith("fixes to add up"),
      async (page) => {
        const boxes = page.getByRole("checkbox", { name: /^Fixed/ });
        await expect.poll(() => boxes.first().isEnabled()).toBe(true);
        await boxes.first().check();
        await boxes.first().evaluate((one) => one.scrollIntoView({ block: "center" }));
        const line = page.locator("#fixing .result");
        const bottomOf = async (selector: string) => {
          const box = await page.locator(selector).boundingBox();
          return Math.round((box?.y ?? 0) + (box?.height ?? 0));
        };
        await expect.poll(() => bottomOf("#fixing .result")).toBe(640);
        expect((await line.boundingBox())?.height).toBeLessThanOrEqual(72);
        expect(await line.textContent()).toMatch(
          /^With 1 fix: \d+ [A-Z][a-z]+ (?:\+\d+|still capped at \d+) Untick all$/,
        );
        for (const rest of [".track", "#fixed-place", "p:last-child"])
          expect(await bottomOf(`#fixing ${rest}`)).toBeGreaterThan(640);
        await page.locator("#fixing p:last-child").evaluate((one) => one.scrollIntoView(false));
        await expect.poll(() => bottomOf("#fixing p:last-child")).toBeLessThanOrEqual(640);
        const track = (await page.locator("#fixing .track").boundingBox())?.y ?? 0;
        expect(track).toBeGreaterThanOrEqual(await bottomOf("#fixing .result"));
        await expectForEverybody(page);
      },
      { viewport: { width: 360, height: 640 } },
    );
  });

  it("copies a prompt by mouse and by keyboard", async () => {
    const context = await browser.newContext({
      permissions: ["clipboard-read", "clipboard-write"],
    });
    const page = await context.newPage();
    const path = pathWith("prompts");
    await page.goto(server.url + path);
    await page.locator("#fixes .prompt summary").first().press("Enter");
    const button = page.locator(".fix .copy").first();
    await button.press("Enter");
    await expect.poll(() => button.textContent()).toBe("Copied");
    await expect
      .poll(() => page.locator(".fix .copy + [role=status]").first().textContent())
      .toBe("Copied");
    const described = await button.getAttribute("aria-describedby");
    expect(await page.locator(`h4#${described}`).count()).toBe(1);
    const copied = await page.evaluate<string>("navigator.clipboard.readText()");
    expect(copied).toBe(await page.locator("#fixes pre").first().textContent());
    const whole = page.locator(".task .copy");
    await whole.click();
    await expect.poll(() => whole.textContent()).toBe("Copied");
    const task = await (await fetch(`${server.url}${path}/fix.md`)).text();
    expect(task).toContain("## How to work");
    await expect.poll(() => page.evaluate<string>("navigator.clipboard.readText()")).toBe(task);
    await context.close();
  });

  it("shows starter files one after another, and saves them", async () => {
    await withPage(browser, server.url + pathWith("starter files"), async (page) => {
      const drafts = page.locator("#starter-files .draft");
      expect(await drafts.locator("h3").allTextContents()).toEqual(["/robots.txt", "/llms.txt"]);
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        drafts.nth(1).getByText("Download llms.txt").click(),
      ]);
      expect(download.suggestedFilename()).toBe("llms.txt");
      const saved = await readFile(await download.path(), "utf8");
      expect(saved).toBe(await drafts.nth(1).locator("pre").textContent());
      await expectAccessible(page);
    });
  });

  it("has a chart that is tall enough on a phone, and its first fault near the top", async () => {
    await withPage(browser, "about:blank", async (page) => {
      for (const [width, most] of [
        [360, 1_200],
        [1_440, 900],
      ] as const) {
        await page.setViewportSize({ width, height: 900 });
        await page.goto(server.url + pathWith("history"));
        const chart = await page.locator("#history .plot").boundingBox();
        expect(chart?.height).toBeGreaterThan(180);
        const fault = await page.locator("#fixes .check").first().boundingBox();
        expect(fault?.y).toBeLessThan(most);
      }
    });
  });

  it("prints on two to four pages, without buttons", async () => {
    await withPage(browser, server.url + pathWith("starter files"), async (page) => {
      await page.emulateMedia({ media: "print" });
      expect(await page.locator(".near:visible, .button:visible").count()).toBe(0);
      const pdf = await page.pdf({ format: "A4" });
      const pages = pdf.toString("latin1").match(/\/Type\s*\/Page\b/g) ?? [];
      expect(pages.length).toBeGreaterThanOrEqual(2);
      expect(pages.length).toBeLessThanOrEqual(4);
    });
  });

  it("prints all prompts, also without a script, and what the ticked fixes bring", async () => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    const path = pathWith("fixes to add up");
    await page.goto(server.url + path);
    const areVisible = (shown: Page) =>
      shown
        .locator(".prompt pre")
        .evaluateAll((all) => [...new Set(all.map((one) => one.checkVisibility()))]);
    expect(await areVisible(page)).toEqual([false]);
    await page.emulateMedia({ media: "print" });
    expect(await areVisible(page)).toEqual([true]);
    await context.close();
    await withPage(browser, server.url + path, async (other) => {
      const first = await other.locator(".tick input").first().getAttribute("value");
      await other.emulateMedia({ media: "print" });
      const shown = () => other.locator(".tick:visible, #fixing:visible").count();
      expect(await shown()).toBe(0);
      await other.goto(`${server.url}${path}?fixed=${first}`);
      await expect.poll(shown).toBe(2);
      expect(await other.locator("#unfix").isVisible()).toBe(false);
      expect(await other.locator("#fixing .track").isVisible()).toBe(true);
    });
  });

  it("show the badge that a reader chooses, and the codes for it", async () => {
    await withPage(browser, server.url + pathWith("latest, complete, scored"), async (page) => {
      const codes = page.locator("#share pre");
      const [plain] = await codes.allTextContents();
      await page.locator("#builder select").selectOption("plastic");
      await page.locator("#builder input").fill('AI & "us"');
      const badge = page.locator("#share .badge");
      const widthOf = (name: string) =>
        page.evaluate<number>(`document.querySelector("#share .badge").${name}`);
      await badge.scrollIntoViewIfNeeded();
      const query = "?label=AI+%26+%22us%22&style=plastic";
      expect(new URL((await badge.getAttribute("src")) ?? "").search).toBe(query);
      await expect.poll(() => widthOf("naturalWidth")).toBeGreaterThan(100);
      await expect
        .poll(async () => (await widthOf("width")) === (await widthOf("naturalWidth")))
        .toBe(true);
      const [html, markdown, link] = await codes.allTextContents();
      expect(html).toContain(`badge.svg${query.replace("&style", "&amp;style")}"`);
      expect(markdown).toContain(`badge.svg${query})`);
      expect(link).not.toContain("?");
      await expectAccessible(page);
      await page.locator("#builder select").selectOption("flat");
      await page.locator("#builder input").fill("");
      expect((await codes.allTextContents())[0]).toBe(plain);
    });
  });

  it("cannot load or run anything if it is hostile: the policy is enforced", async () => {
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(server.url + pathWith("prompts"));
    const ran = await page.evaluate(`new Promise((resolve) => {
      const script = document.createElement("script");
      script.textContent = "globalThis.ran = true";
      document.body.append(script);
      const image = new Image();
      image.onload = () => resolve([globalThis.ran === true, true]);
      image.onerror = () => resolve([globalThis.ran === true, false]);
      image.src = "data:image/gif;base64,R0lGODlhAQABAAAAACw=";
    })`);
    expect(ran).toEqual([false, false]);
    await context.close();
  });
});
