import { readdirSync, readFileSync } from "node:fs";
import { join, sep } from "node:path";
import { byCodeUnit } from "../contract/order.js";
import { PACKAGE_FOLDER } from "./package.js";

/** The compiler's output folder for the browsers' modules (tsconfig.browser.json). */
const FOLDER = join(PACKAGE_FOLDER, "dist/browser");

/** The texts of the modules compiled for browsers, by path, with slashes, sorted by path. */
export function readBrowserModules(): Map<string, string> {
  const files = readdirSync(FOLDER, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".js"))
    .sort(byCodeUnit);
  return new Map(
    files.map((path) => [path.split(sep).join("/"), readFileSync(join(FOLDER, path), "utf8")]),
  );
}
