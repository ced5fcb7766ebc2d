import { own } from "../../contract/tables.js";
import {
  type Adder,
  type PublicationEnd,
  type PublicationStart,
  writeCompressed,
} from "../../publish/additions.js";
import { BadSnapshotError } from "../../store/bad-snapshot.js";
import { BadColumnsError } from "../../store/columns/columns.js";
import type { AddedFile, Manifest } from "../../store/format.js";
import { isWhole, readChecked, readInflated } from "../../store/reader.js";
import { SEARCH_FILES, type SearchFileKind } from "./format.js";
import type { MadeFile } from "./packs.js";
import {
  BASE_KINDS,
  readBase,
  type SearchBase,
  type SearchChanges,
  searchFilesOf,
} from "./search-files.js";

/** Listings in search beyond which a snapshot has no files: trees of so many have too many files anyway. */
const LISTINGS_MAX = 300_000;

/** Begins the files of a publication. They are not part of a snapshot's `content`: they repeat what its tables have. */
export function beginSearchFiles({ store }: PublicationStart): Adder {
  let bytesWritten = 0;
  let before: Manifest | null = null;
  let hosts: Set<string> | null = new Set();
  const write = async ({ kind, filter, bytes, length }: MadeFile): Promise<AddedFile> => {
    const { file, written } = await writeCompressed(store, kind, bytes, length);
    bytesWritten += written;
    return { ...file, facts: { kind, ...(filter && { filter }) } };
  };
  return {
    begin: (replaced) => {
      before = replaced;
    },
    add: ({ host }) => hosts?.add(host),
    forget: () => {
      hosts = null;
    },
    end: async (publication) => {
      const files = await filesOf(store, publication, { before, hosts }, write);
      return { facts: {}, files };
    },
    get bytesWritten() {
      return bytesWritten;
    },
  };
}

/** What is known of the snapshot that is replaced. */
interface Replaced {
  readonly before: Manifest | null;
  readonly hosts: SearchChanges["hosts"];
}

/** @throws StoreWriteError */
async function filesOf(
  store: string,
  { rows, hasErased, isSame }: PublicationEnd,
  { before, hosts }: Replaced,
  write: (file: MadeFile) => Promise<AddedFile>,
): Promise<AddedFile[]> {
  const former = before === null ? null : await formerFiles(store, before);
  if (former !== null && isSame && !hasErased) return [...former.files];
  const segments = await rows();
  const listings = segments.reduce((sum, { size }) => sum + size, 0);
  if (listings === 0 || listings > LISTINGS_MAX) return [];
  const made = searchFilesOf(segments, former?.base ?? null, { hosts, hasErased });
  const files: AddedFile[] = [];
  for (const kind of BASE_KINDS) {
    const staying = former?.files.filter(({ facts }) => facts.kind === kind) ?? [];
    if (made[kind] === null) files.push(...staying);
    else for (const file of made[kind]) files.push(await write(file));
  }
  for (const file of made.others) files.push(await write(file));
  return files;
}

/** The files of the replaced snapshot, with their base; null if it has none, or if one that may stay is damaged. */
async function formerFiles(
  store: string,
  { extras = {} }: Manifest,
): Promise<{ readonly files: readonly AddedFile[]; readonly base: SearchBase } | null> {
  try {
    const files = own(extras, SEARCH_FILES)?.files ?? [];
    const read = (kind: SearchFileKind) => {
      const file = files.find(({ facts }) => facts.kind === kind);
      if (file === undefined) throw new BadColumnsError(`its search has no ${kind}`);
      return readInflated(store, file);
    };
    const packs: Uint8Array[] = [];
    for (const file of files) {
      if (file.facts.kind === "rows") packs.push(await readChecked(store, file));
    }
    const parts = {
      head: await read("head"),
      delta: await read("delta"),
      sums: await read("sums"),
      base: await read("base"),
    };
    const base = readBase(parts, Buffer.concat(packs));
    for (const file of files) if (!(await isWhole(store, file))) return null;
    return { files, base };
  } catch (error) {
    if (error instanceof BadSnapshotError || error instanceof BadColumnsError) return null;
    throw error;
  }
}
