import type { Browser } from "../browser/browsers.js";
import { chromiumPath, launch } from "../browser/browsers.js";

/** Starts the browser; says loudly if there is none. */
export async function startBrowser(): Promise<Browser | null> {
  const path = chromiumPath();
  if (path !== null) return launch(path);
  process.stderr.write("SKIPPED, all tests with a browser: there is none\n");
  return null;
}
