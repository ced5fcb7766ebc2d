/** Runs Lighthouse, which is too large for a dependency: npx downloads it. */
import { execFileSync } from "node:child_process";
import { CHROMIUM } from "./served.js";

export const LIGHTHOUSE = "13.5.0";
export const LIGHTHOUSE_CATEGORIES = [
  "performance",
  "accessibility",
  "best-practices",
  "seo",
  "agentic-browsing",
] as const;

interface LighthouseResult {
  readonly categories: Readonly<Record<string, { readonly score: number | null }>>;
}

/** A page's scores by category, of 100, on Lighthouse's slow phone; `—` if there is none. */
export function lighthouseScores(address: string): string[] {
  const flags = ["--quiet", "--output=json", "--chrome-flags=--headless=new --no-sandbox"];
  const output = execFileSync("npx", ["--yes", `lighthouse@${LIGHTHOUSE}`, address, ...flags], {
    encoding: "utf8",
    env: { ...process.env, CHROME_PATH: CHROMIUM },
    maxBuffer: 64 * 1024 * 1024,
    stdio: ["ignore", "pipe", "ignore"],
  });
  const { categories } = JSON.parse(output) as LighthouseResult;
  return LIGHTHOUSE_CATEGORIES.map((name) => {
    const score = categories[name]?.score ?? null;
    return score === null ? "—" : String(Math.round(100 * score));
  });
}
