import { BadSnapshotError } from "../store/bad-snapshot.js";
import { packedFiles } from "../store/packed-files.js";
import { inflate } from "./inflate.js";
import type { ByteRange, FetchStore } from "./store.js";

/*
 * The store inside an exported tree. Its files are in `data/`, and its public documents are those of the tree. A packed
 * tree has the packs of adjacent buckets together in one compressed file: no host needs to answer ranges, and no limit
 * of files is met.
 */

/** Where a pack is in its compressed file's content. */
interface PackPlace {
  readonly file: string;
  readonly offset: number;
}

/** The most bytes of an inflated file: hundreds of times an ordinary one. */
const CONTENT_MAX = 512 * 1024 * 1024;
/** The files whose content stays in memory: reports of one file are often read in a row. */
const REMEMBERED_MAX = 2;

/**
 * The store in a tree.
 * @param read reads a file of the tree by its path
 */
export function treeStore(read: FetchStore): FetchStore {
  const places = new Map<string, PackPlace>();
  const contents = new Map<string, Promise<Uint8Array>>();
  const contentOf = (file: string): Promise<Uint8Array> => {
    const known = contents.get(file);
    if (known !== undefined) return known;
    const made = read(`data/${file}`).then((bytes) => inflate(bytes, CONTENT_MAX));
    contents.set(file, made);
    made.catch(() => contents.delete(file));
    const [oldest = ""] = contents.keys();
    if (contents.size > REMEMBERED_MAX) contents.delete(oldest);
    return made;
  };
  const fromPack = async (path: string, range: ByteRange): Promise<Uint8Array> => {
    const place = places.get(path);
    if (place === undefined) throw new BadSnapshotError(`${path} is not in this tree`);
    const start = place.offset + range.offset;
    return (await contentOf(place.file)).slice(start, start + range.length);
  };
  return async (path, range, most) => {
    if (range !== undefined && path.startsWith("reports/")) return fromPack(path, range);
    const [folder = "", next] = path.split("/", 2);
    if (next === "public") return read(path.slice(`${folder}/public/`.length), range, most);
    const bytes = await read(`data/${path}`, range, most);
    if (next === "manifest.json") notePlaces(bytes, places);
    return bytes;
  };
}

/** Notes where the packs of a manifest are. Each reader checks the bytes of a manifest, and of what it names. */
function notePlaces(manifest: Uint8Array, places: Map<string, PackPlace>): void {
  const { buckets } = JSON.parse(new TextDecoder().decode(manifest));
  for (const { file, packs } of packedFiles(buckets)) {
    let offset = 0;
    for (const pack of packs) {
      places.set(pack.file, { file, offset });
      offset += pack.bytes;
    }
  }
}
