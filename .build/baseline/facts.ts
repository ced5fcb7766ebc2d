/** What a baseline stores: facts about each answer and each file, and small bodies by their digest. */
import { createHash } from "node:crypto";
import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** The facts about one answer or one file of a tree. */
export interface Entry {
  /** Groups entries in a comparison: where the answer comes from, and its address without names. */
  readonly kind: string;
  /** Identifies the entry within its kind. */
  readonly key: string;
  /** Status, headers and the digest of the bytes, each by its name. */
  readonly facts: Readonly<Record<string, string>>;
}

/** The kind of the program's own files, which every change of a script changes. Their differences are not counted. */
export const OWN_FILES = "the program's own files";

/** The value of a header that depends on names of assets, and through them on the program's own bytes. */
export const OF_ASSETS = "depends on names of assets";

/** Bodies of more bytes are stored only as their digest. */
const BODY_BYTES_MAX = 32_768;
const FACTS_FILE = "facts.ndjson";
const BODIES_FILE = "bodies.ndjson";
/** The hash of a script, stylesheet or icon within its name. */
const ASSET_HASH = /\b([a-z]+)-[0-9a-f]{8}\.(css|js|svg)\b/g;

/** Replaces everything that depends only on the program's own bytes: the hashes within names of assets. */
export function withoutHashes(text: string): string {
  return text.replace(ASSET_HASH, "$1-*.$2");
}

/** A baseline that is being written. */
export class BaselineWriter {
  readonly #folder: string;
  readonly #entries = new Map<string, Entry>();
  readonly #bodies = new Set<string>();

  constructor(folder: string) {
    this.#folder = folder;
    writeFileSync(join(folder, BODIES_FILE), "");
  }

  /** Adds an entry. Entries with the same key, such as files named by their digests, become one. */
  add({ kind, key, facts }: Entry): void {
    const id = `${kind} ${key}`;
    const former = this.#entries.get(id);
    const merged = { ...former?.facts };
    for (const [name, value] of Object.entries(facts)) {
      const values = [...(merged[name]?.split(" + ") ?? []), value];
      merged[name] = values.sort().join(" + ");
    }
    this.#entries.set(id, { kind, key, facts: merged });
  }

  /** Returns the digest of bytes, in which hashes of assets do not count. Stores a small text under its digest. */
  digest(bytes: Uint8Array, isStored: boolean): string {
    const raw = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
    const body = Buffer.from(raw.includes("\0") ? raw : withoutHashes(raw), "latin1");
    const digest = createHash("sha256").update(body).digest("hex");
    if (isStored && body.length <= BODY_BYTES_MAX && !this.#bodies.has(digest)) {
      this.#bodies.add(digest);
      const line = `${JSON.stringify([digest, body.toString("utf8")])}\n`;
      appendFileSync(join(this.#folder, BODIES_FILE), line);
    }
    return digest;
  }

  /** Writes all entries. @returns how many there are */
  finish(): number {
    const lines = [...this.#entries.values()].map((entry) => `${JSON.stringify(entry)}\n`);
    writeFileSync(join(this.#folder, FACTS_FILE), lines.join(""));
    return lines.length;
  }
}

function readLines<T>(folder: string, file: string): T[] {
  const lines = readFileSync(join(folder, file), "utf8").split("\n");
  return lines.filter(Boolean).map((line) => JSON.parse(line) as T);
}

export function readEntries(folder: string): Entry[] {
  return readLines<Entry>(folder, FACTS_FILE);
}

/** The stored bodies of a baseline, by digest. */
export function readBodies(folder: string): Map<string, string> {
  return new Map(readLines<[string, string]>(folder, BODIES_FILE));
}
