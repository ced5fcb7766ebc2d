import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect } from "vitest";
import { DIST } from "./product.js";

/** A mistake in the compiled product, planted to see that the tests find it. */
export interface Mutant {
  readonly mistake: string;
  /** The test that is to find it. */
  readonly finder: string;
  /** Below `dist/src`. */
  readonly file: string;
  /** Texts that must stand there just once, and what takes their place. */
  readonly edits: readonly (readonly [from: string, to: string])[];
}

export const MUTANTS = {
  pointerUnsynced: {
    mistake: "the pointer names files whose names were not synced",
    finder: "P5",
    file: "build/publish.js",
    edits: [
      ["for (const folder of SHARED_FOLDERS) await disk.syncFolder(join(store, folder));", ""],
      ["await disk.syncFolder(store);\n  }", "}"],
      [
        "await disk.syncFolder(store);\n  lock.check();\n  if (purgeList",
        "lock.check();\n  if (purgeList",
      ],
    ],
  },
  fileUnsynced: {
    mistake: "files get their names before their bytes are synced",
    finder: "P5",
    file: "files/disk.js",
    edits: [["await calls.fsync(this.#descriptor);", ""]],
  },
  inPlace: {
    mistake: "files are written in place",
    finder: "P2",
    file: "files/disk.js",
    edits: [
      [
        `const file = new UnfinishedFile(unfinished, mode);
    if (bytes instanceof Uint8Array) file.append(bytes);
    else for (const text of inLargePieces(bytes)) file.append(Buffer.from(text));
    await file.finish(path, before);`,
        `remove(path);
        const file = calls.create(path);
        const all = bytes instanceof Uint8Array ? bytes : Buffer.from([...bytes].join(""));
        calls.write(file, all, 0);
        before?.();
        await calls.fsync(file);
        calls.close(file);`,
      ],
    ],
  },
  noChecksum: {
    mistake: "files are not compared with the manifest",
    finder: "P7",
    file: "store/reader.js",
    edits: [["bytes.length !== file.bytes || sha256(bytes) !== file.sha256", "false"]],
  },
  noManifestHash: {
    mistake: "a manifest is not compared with its id",
    finder: "P9",
    file: "store/reader.js",
    edits: [["snapshotId(bytes) !== id", "false"]],
  },
  pointerFirst: {
    mistake: "the pointer is replaced before the snapshot's folder is in its place",
    finder: "P5",
    file: "build/publish.js",
    edits: [
      [
        "await putSnapshotFolder(store, lock, id, unfinished);",
        "{ await disk.writeFile(layout.current(store), JSON.stringify({ format: CURRENT_FORMAT, id })); await putSnapshotFolder(store, lock, id, unfinished); }",
      ],
    ],
  },
  swallowedSync: {
    mistake: "a failed fsync is ignored",
    finder: "P3",
    file: "files/disk.js",
    edits: [
      [
        "await calls.fsync(this.#descriptor);",
        "await calls.fsync(this.#descriptor).catch(() => {});",
      ],
    ],
  },
  uncheckedLock: {
    mistake: "a build that has lost its lock still commits",
    finder: "lost locks",
    file: "files/lock.js",
    edits: [["return existsSync(this.#file);", "return true;"]],
  },
  collectsPrevious: {
    mistake: "cleaning up deletes the snapshot before the current one",
    finder: "kept",
    file: "build/clean-up.js",
    edits: [["found.slice(-keep)", "found.slice(-1)"]],
  },
  collectsNamed: {
    mistake: "cleaning up deletes files of the current snapshot",
    finder: "kept",
    file: "build/clean-up.js",
    edits: [["!named.has(", "named.has("]],
  },
} as const satisfies Record<string, Mutant>;

/** The product with mistakes planted, as a folder of its own that finds the same packages. */
export function plant({ mistake, file, edits }: Mutant, folder: string): string {
  const dist = join(folder, "dist");
  const root = dirname(DIST);
  mkdirSync(folder, { recursive: true });
  cpSync(DIST, dist, { recursive: true });
  cpSync(join(root, "package.json"), join(folder, "package.json"));
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  const path = join(dist, "src", file);
  let code = readFileSync(path, "utf8");
  for (const [from, to] of edits) {
    expect(code.split(from), `${mistake}: ${file} no longer has just once: ${from}`).toHaveLength(
      2,
    );
    code = code.replace(from, () => to);
  }
  writeFileSync(path, code);
  return dist;
}
