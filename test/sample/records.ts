import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { Scan } from "../../src/published/checking/scan-schema.js";
import { Listing } from "../../src/published/checking/schemas.js";
import { temporaryFolder } from "../fixtures.js";
import { generate } from "./generator/generate.js";

/** A listing of a sample with its scans, oldest first, as the builder reads them. */
export interface Whole {
  readonly listing: Listing;
  readonly scans: readonly Scan[];
  /** The listing's keys as they are written; the builder fills in those that are left out. */
  readonly written: Readonly<Record<string, unknown>>;
  /** The scans' keys as they are written. */
  readonly writtenScans: readonly Readonly<Record<string, unknown>>[];
}

/** Listing `index` of a seed. @throws ZodError if a record breaks the published format */
export function wholeOf(seed: number, index: number): Whole {
  const { listing, scans } = generate(seed, index);
  const written = JSON.parse(JSON.stringify(listing));
  const writtenScans = JSON.parse(JSON.stringify(scans));
  return {
    listing: Listing.parse(written),
    scans: scans.map((_, place) => Scan.parse(writtenScans[place])),
    written,
    writtenScans,
  };
}

/** The files of a sample: texts by path. @param write writes them into a folder */
export async function filesOf(
  write: (folder: string) => Promise<unknown>,
): Promise<Map<string, string>> {
  const folder = await temporaryFolder();
  await write(folder);
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((one) => join(one.parentPath, one.name));
  return new Map(
    paths.map((path) => [relative(folder, path).replaceAll("\\", "/"), readFileSync(path, "utf8")]),
  );
}

/** The sha256 of a tree of files: of their paths and bytes, in the order of the paths. */
export function digestOf(files: ReadonlyMap<string, string>): string {
  const hash = createHash("sha256");
  for (const path of [...files.keys()].sort()) hash.update(`${path}\n${files.get(path)}\n`);
  return hash.digest("hex");
}

/** The lines or documents of all files of one kind. */
export function recordsOf(
  files: ReadonlyMap<string, string>,
  kind: "listings" | "scans",
): string[] {
  return [...files]
    .filter(([path]) => path.startsWith(`${kind}/`))
    .flatMap(([path, text]) =>
      path.endsWith(".json") ? [JSON.stringify(JSON.parse(text))] : text.trimEnd().split("\n"),
    );
}
