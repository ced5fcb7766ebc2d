/** Notes the digests of all files of exported trees. */
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { kindOfTarget } from "./answers.js";
import { type BaselineWriter, OWN_FILES, withoutHashes } from "./facts.js";
import { runCommand } from "./run.js";

/** Layouts of an exported tree, as options of `crawldex export`. */
const LAYOUTS: readonly (readonly string[])[] = [
  [],
  ["--for", "cloudflare", "--packed", "--previews"],
  ["--for", "s3", "--only", "api"],
  ["--for", "netlify", "--only", "pages"],
];

interface Exported {
  /** The directory's name in the baseline. */
  readonly name: string;
  /** How many of the layouts are exported. */
  readonly layouts: number;
  readonly dist: string;
  readonly store: string;
  /** Where trees are written. */
  readonly folder: string;
}

/** Exports a store in its layouts, and notes the digest of each file. */
export function takeTrees(exported: Exported, writer: BaselineWriter): void {
  const { name, layouts, dist, store, folder } = exported;
  for (const options of LAYOUTS.slice(0, layouts)) {
    const site = join(folder, "site");
    runCommand(dist, ["export", site, "--store", store, ...options, "--jobs", "2"]);
    const layout = ["tree", ...options].join(" ");
    for (const path of filesOf(site)) {
      const bytes = writer.digest(readFileSync(join(site, path)), options.length > 0);
      const isOwn = path.startsWith("assets/") || path === "worker.js";
      const kind = `${name} ${layout} ${kindOfTarget(`/${path}`.replace(/^\/data\/.*/, "/data/{file}"))}`;
      const key = withoutHashes(path).replace(/[0-9a-f]{32}/g, "*");
      writer.add({ kind: isOwn ? `${OWN_FILES}: ${kind}` : kind, key, facts: { bytes } });
    }
    rmSync(site, { recursive: true });
    rmSync(`${site}.crawldex.json`);
  }
}

function filesOf(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();
}
