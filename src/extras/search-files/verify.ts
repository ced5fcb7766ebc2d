import { hash } from "node:crypto";
import type { VerifyFacts } from "../../publish/additions.js";
import { BadSnapshotError } from "../../store/bad-snapshot.js";
import { BadColumnsError } from "../../store/columns/columns.js";
import type { ListingColumns } from "../../store/columns/listings.js";
import { gunzip } from "../../store/folder-source.js";
import type { AddedFile } from "../../store/format.js";
import { readChecked, readInflated, type StoredSnapshot } from "../../store/reader.js";
import { storedJson } from "../../store/stored-json.js";
import { withTexts } from "./common-texts.js";
import {
  SEARCH_FILES,
  type SearchDelta,
  type SearchFileKind,
  type SearchHead,
  type StoredRow,
} from "./format.js";
import { digestsOf, listingsIn } from "./listings.js";
import { shardMaps } from "./maps.js";
import { piecesIn } from "./packs.js";
import { readBase, searchFilesOf, slotsLike } from "./search-files.js";

/**
 * Checks that the files are those of the listings in search: makes them again. It compares what they inflate to, as
 * another version of the program may have compressed them otherwise.
 */
export async function verifySearchFiles(
  snapshot: StoredSnapshot,
  { isInSearch, report }: VerifyFacts,
): Promise<void> {
  const files = snapshot.addition(SEARCH_FILES)?.files ?? [];
  // Without all tables, it is unknown what the files should have.
  if (files.length === 0 || isInSearch === null) return;
  const check = new FilesCheck(snapshot.store, files);
  const segments = await snapshot.listings.searchRows();
  try {
    await check.run(segments);
    for (const { file } of check.unlike)
      report(file, `${file} does not match the listings of its snapshot`);
  } catch (error) {
    // A file whose bytes are not those of the manifest is reported already.
    const file = check.reading ?? `${snapshot.id}/manifest.json`;
    report(file, error instanceof BadSnapshotError ? error.message : `${file} is malformed`);
  }
}

/** All methods throw if a file cannot be read. */
class FilesCheck {
  /** The files that differ from those of the listings: of packs, the first one. */
  readonly unlike: AddedFile[] = [];
  /** The file that was read last; null if there is none of a kind. */
  reading: string | null = null;
  readonly #store: string;
  readonly #files: readonly AddedFile[];

  constructor(store: string, files: readonly AddedFile[]) {
    this.#store = store;
    this.#files = files;
  }

  async run(segments: readonly ListingColumns[]): Promise<void> {
    const head = await this.#content("head");
    const sums = await this.#content("sums");
    const delta = await this.#content("delta");
    const base = readBase({ head, delta, sums, base: await this.#content("base") });
    const slots = slotsLike(base.maps, listingsIn(segments));
    const made = searchFilesOf(segments, base);
    this.#expect("base", slots !== null && made.rows === null);
    if (slots === null) return;
    const { titles, taglines, wide, rows, slots: size }: SearchHead = storedJson(head);
    const { news }: SearchDelta = storedJson(delta);
    const maps = [titles, taglines, wide];
    const shards = await this.#pieces(
      "maps",
      maps.flatMap((map) => map.sizes),
    );
    const blocks = await this.#pieces("rows", rows.sizes);
    const newBlocks = await this.#pieces("news", news.sizes);
    const expected = Object.values(shardMaps(slots.slice(0, size)));
    const firsts = [maps, expected].map((all) => JSON.stringify(all.map((map) => map.firsts)));
    this.#expect("head", firsts[0] === firsts[1]);
    this.#expectSame(
      "maps",
      inflated(shards),
      Buffer.concat(expected.flatMap((map) => map.shards)),
    );
    const stored = blocks.flatMap((block) => storedJson<StoredRow[]>(inflated([block])));
    const texts = stored.map((row) => JSON.stringify(withTexts(row, rows.texts)));
    this.#expectSame("rows", digestsOf(texts), base.rows.digests);
    const all = [...shards, ...blocks, ...newBlocks];
    this.#expectSame("sums", Buffer.concat(all.map((one) => hash("sha256", one, "buffer"))), sums);
    for (const { kind, filter, bytes, length } of made.others) {
      // Without news, the delta differs.
      const isThere = kind !== "news" || newBlocks.length > 0;
      if (kind !== "sums" && isThere)
        this.#expectSame(kind, await this.#content(kind, filter), gunzip(bytes, length), filter);
    }
  }

  #expectSame(kind: SearchFileKind, one: Uint8Array, other: Uint8Array, filter?: string): void {
    this.#expect(kind, Buffer.compare(one, other) === 0, filter);
  }

  #expect(kind: SearchFileKind, isSame: boolean, filter?: string): void {
    const file = this.#filesOf(kind, filter)[0];
    if (!isSame && file !== undefined) this.unlike.push(file);
  }

  #filesOf(kind: SearchFileKind, filter?: string): AddedFile[] {
    return this.#files.filter(({ facts }) => facts.kind === kind && facts.filter === filter);
  }

  async #content(kind: SearchFileKind, filter?: string): Promise<Uint8Array> {
    const [file] = this.#filesOf(kind, filter);
    this.reading = file?.file ?? null;
    if (file === undefined) throw new BadColumnsError(`there is none of the kind ${kind}`);
    return readInflated(this.#store, file);
  }

  /** The pieces of packs, compressed. */
  async #pieces(kind: SearchFileKind, sizes: readonly number[]): Promise<Uint8Array[]> {
    const packs: Buffer[] = [];
    for (const file of this.#filesOf(kind)) {
      this.reading = file.file;
      packs.push(await readChecked(this.#store, file));
    }
    return piecesIn(Buffer.concat(packs), sizes);
  }
}

/** The most bytes of an inflated piece: a hundred times as many as a shard has. */
const PIECE_BYTES_MAX = 2 * 1024 * 1024;

function inflated(pieces: readonly Uint8Array[]): Buffer {
  return Buffer.concat(pieces.map((piece) => gunzip(piece, PIECE_BYTES_MAX)));
}
