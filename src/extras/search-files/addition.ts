import {
  type Adder,
  type PublicationEnd,
  type PublicationStart,
  writeCompressed,
} from "../../publish/additions.js";
import { BadSnapshotError } from "../../store/bad-snapshot.js";
import { BadColumnsError } from "../../store/columns/columns.js";
import type { AddedFile } from "../../store/format.js";
import { currentId, isWhole, readInflated, StoredSnapshot } from "../../store/reader.js";
import { SEARCH_FILES, type SearchFileKind } from "./format.js";
import type { MadeFile } from "./packs.js";
import { BASE_KINDS, readBase, type SearchBase, searchFilesOf } from "./search-files.js";

/** Listings in search beyond which a snapshot has no files: trees of so many have too many files anyway. */
const LISTINGS_MAX = 300_000;

/** Begins the files of a publication. They are not part of a snapshot's `content`: they repeat what its tables have. */
export function beginSearchFiles({ store }: PublicationStart): Adder {
  let bytesWritten = 0;
  const write = async ({ kind, filter, bytes, length }: MadeFile): Promise<AddedFile> => {
    const { file, written } = await writeCompressed(store, kind, bytes, length);
    bytesWritten += written;
    return { ...file, facts: { kind, ...(filter && { filter }) } };
  };
  return {
    end: async (publication) => ({ facts: {}, files: await filesOf(store, publication, write) }),
    get bytesWritten() {
      return bytesWritten;
    },
  };
}

/** @throws StoreWriteError */
async function filesOf(
  store: string,
  { rows, hasErased, isSame }: PublicationEnd,
  write: (file: MadeFile) => Promise<AddedFile>,
): Promise<AddedFile[]> {
  const former = await formerFiles(store);
  if (former !== null && isSame && !hasErased) return [...former.files];
  const segments = await rows();
  const listings = segments.reduce((sum, { size }) => sum + size, 0);
  if (listings === 0 || listings > LISTINGS_MAX) return [];
  const made = searchFilesOf(segments, former?.base ?? null, hasErased);
  const files: AddedFile[] = [];
  for (const kind of BASE_KINDS) {
    const staying = former?.files.filter(({ facts }) => facts.kind === kind) ?? [];
    if (made[kind] === null) files.push(...staying);
    else for (const file of made[kind]) files.push(await write(file));
  }
  for (const file of made.others) files.push(await write(file));
  return files;
}

/** The files of the current snapshot, with their base; null if it has none, or if one that may stay is damaged. */
async function formerFiles(
  store: string,
): Promise<{ readonly files: readonly AddedFile[]; readonly base: SearchBase } | null> {
  try {
    const id = await currentId(store);
    if (id === null) return null;
    const snapshot = await StoredSnapshot.openManifest(store, id);
    snapshot.close();
    const { files = [] } = snapshot.addition(SEARCH_FILES) ?? {};
    const read = (kind: SearchFileKind) => {
      const file = files.find(({ facts }) => facts.kind === kind);
      if (file === undefined) throw new BadColumnsError(`its search has no ${kind}`);
      return readInflated(store, file);
    };
    const base = readBase({
      head: await read("head"),
      sums: await read("sums"),
      base: await read("base"),
    });
    for (const file of files) if (!(await isWhole(store, file))) return null;
    return { files, base };
  } catch (error) {
    if (error instanceof BadSnapshotError || error instanceof BadColumnsError) return null;
    throw error;
  }
}
