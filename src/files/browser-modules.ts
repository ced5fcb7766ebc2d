import { readdirSync, readFileSync } from "node:fs";
import { join, sep } from "node:path";
import { byCodeUnit } from "../contract/order.js";
import { PACKAGE_FOLDER } from "./package.js";

/** The compiled modules. Browsers load the same files that Node runs. */
const FOLDER = join(PACKAGE_FOLDER, "dist/src");
/** The rooms that pages import modules from. */
const ROOMS = ["browser", "client", "contract", "pages"];

/** The texts of the modules that browsers may load, by path relative to `src`, with slashes, sorted by path. */
export function readBrowserModules(): Map<string, string> {
  const paths = ROOMS.flatMap((room) =>
    readdirSync(join(FOLDER, room), { recursive: true, encoding: "utf8" })
      .filter((path) => path.endsWith(".js"))
      .map((path) => `${room}/${path.split(sep).join("/")}`),
  ).sort(byCodeUnit);
  return new Map(paths.map((path) => [path, readFileSync(join(FOLDER, path), "utf8")]));
}
