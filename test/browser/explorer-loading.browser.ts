import { describe, expect, it } from "vitest";
import { PROBLEM_TEXTS } from "../../src/pages/explorer/overview.js";
import { type Browser, type Page, withPage } from "./browsers.js";
import { drawn, forgetShifts, PHONE, recordShifts, shiftsOf } from "./shifts.js";
import { HAS_BROWSER, visiting } from "./visits.js";

/** The most that a page may jump while it loads or while somebody types. */
const CLS_MAX = 0.02;
/**
 * Milliseconds by which answers are late. Browsers put shifts down to the reader for half a second after a key, so that
 * those of an earlier answer would not count.
 */
const LATE_MS = 700;
/** A text that some sites have, and its end that makes it one that none has. */
const WORD = { part: "co", rest: "ff", wrong: "zz" };

let browser: Browser;
const urls = { server: "", tree: "" };
type Place = keyof typeof urls;

visiting({ listings: 600, seed: 7 }, async (visit) => {
  ({ browser } = visit);
  urls.server = visit.server.url;
  urls.tree = await visit.files();
});

/**
 * Lets a page's script decide when answers come: a function `hold` is given the address of each read of the API, and a
 * function that makes it go on. Reads of a server go through `fetch`, those of a tree's search to its worker.
 */
async function holdReads(page: Page, hold: string): Promise<void> {
  await page.addInitScript(`globalThis.hold = ${hold};
    const { fetch: read, Worker: { prototype } } = globalThis;
    globalThis.fetch = (url, init) => {
      if (!/\\/api\\//.test(url)) return read(url, init);
      return new Promise((resolve) => hold(String(url), () => resolve(read(url, init))));
    };
    const { postMessage } = prototype;
    prototype.postMessage = function (message) {
      const send = () => postMessage.call(this, message);
      if (message.address === undefined) send();
      else hold(message.address, send);
    };`);
}

const LATE = `(address, go) => setTimeout(go, ${LATE_MS})`;
/** Holds back the reads whose addresses match `isHeld`, until `release` is called. */
const HELD = `(address, go) => {
  globalThis.held ??= [];
  globalThis.release = () => { globalThis.isHeld = null; for (const one of held.splice(0)) one(); };
  if (globalThis.isHeld?.test(address)) held.push(go);
  else go();
}`;

/**
 * Opens a page in the window of a phone, recording its shifts, and waits for its search.
 * @param hold see `holdReads`
 */
async function onPhone(
  address: string,
  hold: string,
  look: (page: Page) => Promise<void>,
): Promise<void> {
  await withPage(browser, "about:blank", async (page) => {
    await page.setViewportSize(PHONE);
    await recordShifts(page);
    await holdReads(page, hold);
    await page.goto(address);
    await expectDone(page, new URL(address).search);
    await look(page);
  });
}

/** The numbers of the form that can be seen: of sites found, beside the filters and in the chart. */
function seenNumbers(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`Array.from(
    document.querySelectorAll("#search :is(.count, .legend b, .key-figures dd, #found span, .rest)"),
  ).filter((one) => one.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
    .map((one) => one.textContent.trim()).filter((text) => /\\d/.test(text))`);
}

/** The bars of the chart that can be seen. */
function seenBars(page: Page): Promise<number> {
  return page.evaluate<number>(`Array.from(document.querySelectorAll(".bin rect")).filter((one) =>
    one.getAttribute("height") !== "0" && getComputedStyle(one).visibility === "visible").length`);
}

const uncounted = (page: Page) => page.locator("form[data-uncounted]").count();
const isBusy = (page: Page, id: string) => page.locator(id).getAttribute("aria-busy");

async function expectDone(page: Page, address: string): Promise<void> {
  await expect.poll(() => new URL(page.url()).search).toBe(address);
  await expect.poll(() => isBusy(page, "#results")).toBeNull();
  await expect.poll(() => isBusy(page, "#filters")).toBeNull();
  await expect.poll(() => page.locator("html[data-sought]").count()).toBe(0);
}

async function expectUnmoved(page: Page): Promise<void> {
  const { unexpected, moved } = await shiftsOf(page);
  expect([page.url(), unexpected <= CLS_MAX ? [] : moved]).toEqual([page.url(), []]);
}

describe.skipIf(!HAS_BROWSER).each<[Place]>([["server"], ["tree"]])(
  "the explorer of a %s, while it loads,",
  (place) => {
    it.each([
      "",
      `?q=${WORD.part}`,
      `?q=${WORD.part}&category=food-drink`,
      `?q=${WORD.wrong}`,
      "?q=food+drink",
      "?q=the+co",
      "?sort=score&page=2",
    ])("moves nothing on a phone at /%s", async (address) => {
      await onPhone(`${urls[place]}/${address}`, LATE, async (page) => {
        await page.waitForTimeout(LATE_MS);
        await expectUnmoved(page);
      });
    });

    it("moves at the first key on a phone, and not when answers come, however few sites they find", async () => {
      await onPhone(`${urls[place]}/`, HELD, async (page) => {
        await page.locator("#q").focus();
        await expectDone(page, "");
        let typed = "";
        for (const letter of WORD.part + WORD.rest + WORD.wrong) {
          typed += letter;
          await page.evaluate("globalThis.isHeld = /sites/");
          await page.keyboard.type(letter);
          await expect.poll(() => new URL(page.url()).search).toBe(`?q=${typed}`);
          await expect.poll(() => isBusy(page, "#results")).toBe("true");
          if (typed.length === 1)
            await expect.poll(async () => (await shiftsOf(page)).all).toBeGreaterThan(CLS_MAX);
          await forgetShifts(page);
          await page.evaluate("release()");
          await expectDone(page, `?q=${typed}`);
          await drawn(page);
          const { all, moved } = await shiftsOf(page);
          expect([typed, all <= CLS_MAX ? [] : moved]).toEqual([typed, []]);
        }
        await page.locator(".nothing").waitFor();
      });
    });

    it("shows the sites and their number first, then all other numbers", async () => {
      await withPage(browser, "about:blank", async (page) => {
        await holdReads(page, HELD);
        await page.addInitScript("globalThis.isHeld = /facets/");
        await page.goto(`${urls[place]}/`);
        const before = await page.locator(".site h3 a").allTextContents();
        await page.locator("#q").fill(WORD.part);
        await expect.poll(() => page.locator("#found").textContent()).toMatch(/^\d+ sites/);
        await expect.poll(() => page.evaluate("globalThis.held?.length ?? 0")).toBe(1);
        expect(await page.locator(".site h3 a").allTextContents()).not.toEqual(before);
        expect(await isBusy(page, "#results")).toBeNull();
        expect([await isBusy(page, "#filters"), await isBusy(page, "#overview")]).toEqual([
          "true",
          "true",
        ]);
        const number = (await page.locator("#found").textContent()) ?? "";
        await expect.poll(() => seenNumbers(page)).toEqual([number]);
        expect(await seenBars(page)).toBe(0);
        expect(await page.locator("#sheet-done").textContent()).toContain(
          number.replace(/,.*/, ""),
        );
        await page.evaluate("release()");
        await expectDone(page, `?q=${WORD.part}`);
        await expect.poll(async () => (await seenNumbers(page)).length).toBeGreaterThan(10);
        expect(await seenBars(page)).toBeGreaterThan(3);
      });
    });

    it("shows the first of many sites before the others, and moves none of them then", async () => {
      await onPhone(`${urls[place]}/`, HELD, async (page) => {
        const hosts = () => page.locator(".site h3 a").allTextContents();
        // A server answers for all sites at once, which are drawn in two steps.
        if (place === "tree") await page.evaluate("globalThis.isHeld = /limit=24/");
        await page.evaluate(`globalThis.counts = [];
          new MutationObserver(() => counts.push(document.querySelectorAll(".site h3 a").length))
            .observe(document.querySelector("#results"), { childList: true, subtree: true })`);
        await page.locator("#q").fill(WORD.part);
        await expect.poll(() => page.locator("#found").textContent()).toMatch(/^\d+ sites, page 1/);
        if (place === "tree") await expect.poll(hosts).toHaveLength(6);
        const first = await hosts();
        await forgetShifts(page);
        await page.evaluate("release()");
        await expect.poll(hosts).toHaveLength(24);
        expect((await hosts()).slice(0, first.length)).toEqual(first);
        await expectDone(page, `?q=${WORD.part}`);
        await drawn(page);
        expect(await page.evaluate("counts.find((count) => count > 0)")).toBe(6);
        expect((await shiftsOf(page)).moved).toEqual([]);
      });
    });

    it("shows no number of an earlier search, and says that it searches", async () => {
      await withPage(browser, "about:blank", async (page) => {
        await holdReads(page, HELD);
        await page.goto(`${urls[place]}/?q=${WORD.part}`);
        await expectDone(page, `?q=${WORD.part}`);
        await expect.poll(async () => (await seenNumbers(page)).length).toBeGreaterThan(10);
        const hero = () => page.locator(".hero").boundingBox();
        const height = (await hero())?.height;
        await page.evaluate("globalThis.isHeld = /sites/");
        await page.locator("#facet-band input").first().check();
        await expect.poll(() => seenNumbers(page)).toEqual([]);
        expect(await seenBars(page)).toBe(0);
        expect(await isBusy(page, "#results")).toBe("true");
        expect(await page.locator("#sheet-done").textContent()).toBe("Show the sites");
        await expect.poll(() => page.locator("#told").textContent()).toBe("Searching…");
        expect((await hero())?.height).toBe(height);
        await page.evaluate("release()");
        await expect.poll(() => uncounted(page)).toBe(0);
        await expect.poll(async () => (await seenNumbers(page)).length).toBeGreaterThan(10);
        expect((await hero())?.height).toBe(height);
      });
    });

    it("names the filters in use as its page does, before anything has been counted", async () => {
      await withPage(browser, "about:blank", async (page) => {
        await holdReads(page, HELD);
        await page.addInitScript("globalThis.isHeld = /facets/");
        await page.goto(`${urls[place]}/`);
        const box = page.locator('#facet-category [value="food-drink"]');
        const name = await box.locator("+ .choice-name").textContent();
        if (place === "tree") await page.goto(`${urls.tree}/?category=food-drink`);
        else await box.dispatchEvent("click");
        await expect.poll(() => page.locator(".chip bdi").allTextContents()).toEqual([name]);
        expect(await uncounted(page)).toBe(1);
        expect(await box.isChecked()).toBe(true);
      });
    });
  },
);

describe.skipIf(!HAS_BROWSER)(
  "the explorer of a tree, if it goes offline after the first sites,",
  () => {
    it("says so, but does not say that these are from an earlier search", async () => {
      await withPage(browser, "about:blank", async (page) => {
        await holdReads(page, HELD);
        await page.goto(`${urls.tree}/`);
        await expectDone(page, "");
        await page.evaluate("globalThis.isHeld = /limit=24/");
        await page.locator("#q").fill(WORD.part);
        await expect.poll(() => page.locator(".site h3").count()).toBe(6);
        await page.evaluate("dispatchEvent(new Event('offline'))");
        await expect
          .poll(() => page.locator("#problem").textContent())
          .toContain(PROBLEM_TEXTS.offline);
        expect(await page.locator("#problem").textContent()).not.toContain("earlier search");
      });
    });
  },
);

describe.skipIf(!HAS_BROWSER)("the explorer, if its sites cannot be counted,", () => {
  it("says so, shows the sites without old numbers, and counts again on request", async () => {
    await withPage(browser, urls.server, async (page) => {
      await page.route("**/api/sites/facets*", (route) => route.fulfill({ status: 404 }));
      await page.locator("#q").fill(WORD.part);
      const problem = page.locator("#problem");
      await expect.poll(() => problem.textContent()).toContain(PROBLEM_TEXTS.uncounted);
      expect(await problem.textContent()).not.toContain("earlier search");
      const number = (await page.locator("#found").textContent()) ?? "";
      expect(number).toMatch(/^\d+ sites/);
      await expect.poll(() => seenNumbers(page)).toEqual([number]);
      await page.unroute("**/api/sites/facets*");
      await page.getByRole("button", { name: "Try again" }).click();
      await expectDone(page, `?q=${WORD.part}`);
      expect(await problem.textContent()).toBe("");
      await expect.poll(async () => (await seenNumbers(page)).length).toBeGreaterThan(10);
    });
  });
});
