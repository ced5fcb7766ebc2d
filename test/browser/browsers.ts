import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, join } from "node:path";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { expect } from "vitest";

const NAMES = ["chromium", "chromium-browser", "google-chrome"];

/** Where the system's Chromium is: CHROMIUM, or the first on the path; null where there is none. */
export function chromiumPath(): string | null {
  const { CHROMIUM, PATH = "" } = process.env;
  const folders = PATH.split(delimiter);
  const found = NAMES.flatMap((name) => folders.map((folder) => join(folder, name)));
  return [CHROMIUM, ...found].find((path) => path !== undefined && existsSync(path)) ?? null;
}

export function launch(executablePath: string, flags: string[] = []): Promise<Browser> {
  // In a container its own sandbox cannot be had; it reads nothing here but this project's pages.
  return chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu", ...flags] });
}

/** An address opened in a context of its own, which is closed after `use`. */
export async function withPage(
  browser: Browser,
  address: string,
  use: (page: Page, context: BrowserContext) => Promise<void>,
  options: Parameters<Browser["newContext"]>[0] = {},
): Promise<void> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  await page.goto(address);
  await use(page, context);
  await context.close();
}

/** What a page has complained of, or tried to load from elsewhere. */
export function watched(page: Page, origin: string): string[] {
  const complaints: string[] = [];
  const isElsewhere = (url: string) => url.startsWith("https:") && !url.startsWith(`${origin}/`);
  page.on("console", (message) => {
    const isLoud = ["error", "warning"].includes(message.type());
    if (isLoud && !isElsewhere(message.location().url)) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("request", (request) => {
    // The logos of sites lie elsewhere, and those of the sample nowhere.
    if (request.resourceType() === "image" && isElsewhere(request.url())) return;
    if (!request.url().startsWith(`${origin}/`)) complaints.push(`asked for ${request.url()}`);
  });
  return complaints;
}

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
/** Rules whose verdict hangs on colours or on the window's size: the others read the document. */
const OF_LOOKS = ["color-contrast", "link-in-text-block", "target-size"];

interface Found {
  readonly violations: { id: string; help: string; nodes: { html: string }[] }[];
  readonly passes: { id: string }[];
}

/**
 * Expects axe-core to find nothing in a page, with all that unfolds unfolded.
 * @param isReadBefore whether the document was judged in another window or other colours, so that looks are left
 */
export async function expectAccessible(page: Page, isReadBefore = false): Promise<void> {
  await page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true");
  if (!isReadBefore) await page.evaluate(AXE);
  const runOnly = isReadBefore ? OF_LOOKS : RULES;
  const { violations, passes } = await page.evaluate<Found>(
    `axe.run(${JSON.stringify({ runOnly, resultTypes: ["violations"] })})`,
  );
  const found = violations.map(({ id, help, nodes }) => `${id}: ${help}: ${nodes[0]?.html ?? ""}`);
  expect([page.url(), found]).toEqual([page.url(), []]);
  expect(passes.map(({ id }) => id)).toContain("color-contrast");
}

const WIDTHS = [360, 768, 1440];

/** Expects an open page to be accessible in either colour scheme, and no wider than the window at any width. */
export async function expectForEverybody(page: Page): Promise<void> {
  for (const [at, width] of WIDTHS.entries()) {
    await page.emulateMedia({ colorScheme: "light" });
    await page.setViewportSize({ width, height: 900 });
    const beyond = await page.evaluate<number>("document.documentElement.scrollWidth - innerWidth");
    expect([page.url(), width, beyond]).toEqual([page.url(), width, Math.min(0, beyond)]);
    await expectAccessible(page, at > 0);
    await page.emulateMedia({ colorScheme: "dark" });
    await expectAccessible(page, true);
  }
}

export type { Browser, BrowserContext, Page };
