import { closeSync, fsyncSync, futimesSync, openSync } from "node:fs";
import { open, readdir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { z } from "zod";
import { Count } from "../contract/field.js";
import { attemptSync, disk, StoreWriteError } from "../files/disk.js";
import { codeOf } from "../files/errors.js";
import { jsonIn } from "../files/lines.js";
import type { Lock } from "../files/lock.js";
import { isWithin, VOLUME_FOLDERS } from "../files/paths.js";
import { randomName } from "../files/random-name.js";
import { sha256 } from "../store/layout.js";
import { type Digests, DocumentPath, FileName, HostName } from "./files.js";
import { realPathOf, treeIdentity } from "./tree.js";

/** The folder cannot be written or shown as a tree, for example because nothing proves that an export made it. */
export class SiteRefusedError extends Error {
  override readonly name = "SiteRefusedError";
}

const Digest = z
  .string()
  .regex(/^[0-9a-f]{32}$/)
  .nullable();

const RECORD_FORMAT = 6;

/** The record's first line, without its end. */
const RecordHeader = z.strictObject({
  format: z.literal(RECORD_FORMAT),
  /** The snapshot that is in the tree; null during an export. */
  snapshot: z.string().nullable(),
  /** Distinguishes the tree's folder from another one at the same path; null before the folder exists. */
  tree: z.string().nullable(),
  /** The absolute path of the tree. */
  root: z.string().default(""),
  /** The boot of the machine in which files were written without a sync; null if all files were synced. */
  boot: z.string().nullable(),
  /** The edition with which the tree's pages were made; null if there were none yet. */
  edition: z.string().nullable().default(null),
  documents: z.record(DocumentPath, Digest),
  /** The segments with the listings that are in the tree, oldest first; empty if that is uncertain. */
  segments: z.array(z.strictObject({ pack: z.string(), firstHash: Count, lastHash: Count })),
  /** The number of lines of listings. */
  parts: Count,
});
type RecordHeader = z.infer<typeof RecordHeader>;

const ListingDigests = z.record(HostName, z.record(FileName, Digest));

/** The files that an export has written into a tree, or may have written. No other file in it is ever deleted. */
export interface SiteRecord extends Omit<RecordHeader, "format" | "parts"> {
  /** One JSON text per part with the files of its listings. It is parsed only if it is needed. */
  readonly listings: readonly string[];
}

/**
 * The path of a tree's record. It is never in the tree, because everything in the tree is public.
 * @param root the tree's real path
 * @param named the path that the publisher has named; undefined for the usual one beside the tree
 * @throws SiteRefusedError if it would be in the tree
 */
export async function recordPath(root: string, named?: string): Promise<string> {
  const path = named === undefined ? `${root}.crawldex.json` : await realPathOf(named);
  if (!isWithin(root, path)) return path;
  throw new SiteRefusedError(
    `the record ${path} would be in the tree ${root}, where everything is public; name a file outside it with --record`,
  );
}

/** Endings of the names of unfinished records, beside the record. */
const UNFINISHED_RECORD = /^\.[0-9a-f]{32}\.new$/;

/**
 * Reads a record; null if there is none.
 * @throws SiteRefusedError if it is damaged or has another format; StoreWriteError if it cannot be read.
 */
export async function readRecord(path: string): Promise<SiteRecord | null> {
  let found: { bytes: Buffer; mtimeMs: number };
  try {
    found = await readWithTime(path);
  } catch (error) {
    const code = codeOf(error) ?? "unknown error";
    if (code === "ENOENT") return null;
    throw new StoreWriteError(`${path} cannot be read: ${code}`, { cause: error });
  }
  const record = parseRecord(found.bytes);
  if (record !== null) return found.mtimeMs === DISTRUSTED ? { ...record, tree: null } : record;
  throw damagedRecord(path);
}

function damagedRecord(path: string): SiteRefusedError {
  return new SiteRefusedError(
    `${path} is damaged or from another version, so export cannot tell which files of the tree it ` +
      "wrote; move both away and export again",
  );
}

/** @throws SiteRefusedError if a record belongs to another tree, which still exists */
export function requireOwn({ tree, root: former }: SiteRecord, path: string, root: string): void {
  if (tree === null || former === root || former === "" || treeIdentity(former) !== tree) return;
  throw new SiteRefusedError(
    `${path} is the record of the tree ${former}; name another file with --record for ${root}`,
  );
}

/** Names in a folder that is about to become a tree: of Git and of the desktop, of GitHub Pages, and of the volume. */
function isExpected(name: string): boolean {
  return name.startsWith(".") || name === "CNAME" || VOLUME_FOLDERS.includes(name);
}

/**
 * The record for a tree that does not exist yet.
 * @param path of the record
 * @param isNamed whether the publisher has named the record, which tells that the folder is meant
 * @throws SiteRefusedError if the folder may be another one than the publisher means, because it has content
 */
export async function newRecord(path: string, root: string, isNamed: boolean): Promise<SiteRecord> {
  const names = await readdir(root).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw new SiteRefusedError(`${root} cannot hold an export: ${error.code ?? error.message}`);
  });
  const foreign = names.find((name) => !isExpected(name));
  if (foreign !== undefined && !isNamed) {
    throw new SiteRefusedError(
      `${root} is not empty, and there is no record ${path} of an earlier export; choose an empty ` +
        `folder, or name a file for the record with --record to export beside ${foreign}`,
    );
  }
  const nothing = { documents: {}, segments: [], listings: [] };
  return { snapshot: null, tree: null, root, boot: null, edition: null, ...nothing };
}

async function readWithTime(path: string): Promise<{ bytes: Buffer; mtimeMs: number }> {
  const file = await open(path);
  try {
    const { mtimeMs } = await file.stat();
    return { bytes: await file.readFile(), mtimeMs };
  } finally {
    await file.close();
  }
}

/** The modification time of a record that must not be trusted. Setting it works even on a full disk. */
const DISTRUSTED = 0;

/**
 * Makes the next export trust nothing in a tree's record except the names of our files. Needs no disk space, and is
 * durable on return. @throws StoreWriteError
 */
export function distrustRecord(path: string): void {
  attemptSync(path, () => {
    const file = openSync(path, "r");
    try {
      futimesSync(file, DISTRUSTED, DISTRUSTED);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
  });
}

/** Replaces a record. The new one is durable on return. @throws StoreWriteError; StoreLockedError */
export async function writeRecord(path: string, lock: Lock, record: SiteRecord): Promise<void> {
  const { listings, ...rest } = record;
  const header = RecordHeader.parse({ format: RECORD_FORMAT, ...rest, parts: listings.length });
  const body = [
    `${JSON.stringify(header).slice(0, -1)},"listings":[\n`,
    listings.join(",\n"),
    "\n",
  ].join("");
  const text = `${body}],"sha256":"${sha256(body)}"}\n`;
  const unfinished = `${path}.${randomName()}.new`;
  await disk.writeFile(path, Buffer.from(text), { unfinished, before: () => lock.check() });
  await disk.syncFolder(dirname(path));
}

/** Removes the unfinished records of exports that were killed. @throws StoreWriteError; StoreLockedError */
export async function removeUnfinishedRecords(path: string, lock: Lock): Promise<void> {
  const folder = dirname(path);
  const record = basename(path);
  for (const name of await readdir(folder)) {
    if (!name.startsWith(record) || !UNFINISHED_RECORD.test(name.slice(record.length))) continue;
    lock.check();
    await disk.remove(join(folder, name));
  }
}

/**
 * Parses the listings of one part of a record, with the digests of their files.
 * @param path of the record
 * @throws SiteRefusedError if no export wrote them
 */
export function parseListings(path: string, text: string): Map<string, Digests> {
  const { data } = ListingDigests.safeParse(jsonIn(text));
  if (data === undefined) throw damagedRecord(path);
  const listings = Object.entries(data);
  return new Map(listings.map(([host, files]) => [host, new Map(Object.entries(files))]));
}

export function listingsText(listings: ReadonlyMap<string, Digests>): string {
  const entries = [...listings].map(([host, files]) => [host, Object.fromEntries(files)]);
  return JSON.stringify(Object.fromEntries(entries));
}

/** The end of a record: the SHA-256 of all bytes before the end. */
const RECORD_END = /^\],"sha256":"([0-9a-f]{64})"\}\n$/;
const END_BYTES = `],"sha256":"${"0".repeat(64)}"}\n`.length;

function parseRecord(bytes: Buffer): SiteRecord | null {
  const body = bytes.subarray(0, -END_BYTES);
  const [, hash] = RECORD_END.exec(bytes.subarray(-END_BYTES).toString("latin1")) ?? [];
  if (hash === undefined || sha256(body) !== hash) return null;
  const [first = "", ...lines] = body.toString("utf8").trimEnd().split("\n");
  const head = RecordHeader.safeParse(jsonIn(first.replace(/,"listings":\[$/, "}")));
  if (!head.success || head.data.parts !== lines.length) return null;
  const { format: _, parts: _parts, ...data } = head.data;
  return { ...data, listings: lines.map((line) => line.replace(/,$/, "")) };
}
