import { hash } from "node:crypto";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { peakBytes } from "./peak.js";

/*
 * A process of its own that loads one store after the other and answers from it: a mutant may hang or end it. It is
 * started with the compiled product's folder, told of one mutant at a time, and says how that went.
 */

export interface Task {
  readonly store: string;
  /** The snapshot to load; null for the one that the store's pointer names. */
  readonly id: string | null;
  /** Addresses that are asked for. */
  readonly paths: readonly string[];
  /** By path, the right answer; null where any is. */
  readonly expected: readonly string[] | null;
}

export interface Read {
  /** Why the snapshot was refused; null where it answers. */
  readonly refusal: string | null;
  /** By path: status, tag and body; given only where nothing was expected. */
  readonly answers: readonly string[];
  /** Whether it answers as expected, and no answer is another one than its entity tag says. */
  readonly isRight: boolean;
  /** Bytes. */
  readonly peakMemory: number;
}

const [dist = ""] = process.argv.slice(2);
const use = async <T>(path: string) =>
  (await import(pathToFileURL(join(dist, "src", path)).href)) as T;
const { answer } = await use<typeof import("../../src/runtime/answer/answer.js")>(
  "runtime/answer/answer.js",
);
const { SERVER_PAGES } = await use<typeof import("../../src/runtime/http/server-pages.js")>(
  "runtime/http/server-pages.js",
);
const { loadSnapshot } = await use<typeof import("../../src/runtime/snapshot/load-snapshot.js")>(
  "runtime/snapshot/load-snapshot.js",
);
const { currentId } = await use<typeof import("../../src/store/reader.js")>("store/reader.js");

process.on("message", (task: Task) => {
  void run(task).then((read) => process.send?.(read));
});
process.send?.("ready");

async function run({ store, id, paths, expected }: Task): Promise<Read> {
  const loaded = await load(store, id).catch(String);
  if (typeof loaded === "string") {
    return { refusal: loaded, answers: [], isRight: false, peakMemory: peakBytes() };
  }
  const { snapshot, close } = loaded;
  const compress = () => Promise.reject(new Error("not asked for"));
  const context = { snapshot, pages: SERVER_PAGES, compress, onDamage: () => {} };
  const answers: string[] = [];
  for (const target of paths) {
    const { status, headers, body } = await answer({ method: "GET", target }, context);
    // The tags of stored answers come from their content.
    const isStored = /\/(?:report|enrichment)/.test(target) && status === 200;
    const tag = isStored ? `${headers.ETag}` : "";
    const isTrue = !isStored || tag.includes(hash("sha256", body ?? "").slice(0, 32));
    answers.push(
      `${isTrue ? status : "untrue"} ${tag} ${Buffer.from(body ?? "").toString("utf8")}`,
    );
  }
  close();
  // An answer may be refused: it is not a wrong one.
  const isRight = answers.every(
    (one, at) =>
      !one.startsWith("untrue") &&
      (expected === null || one === expected[at] || one.startsWith("502")),
  );
  const told = expected === null ? answers : [];
  return { refusal: null, answers: told, isRight, peakMemory: peakBytes() };
}

async function load(store: string, given: string | null) {
  const id = given ?? (await currentId(store));
  if (id === null) throw new Error("there is no snapshot");
  return loadSnapshot(store, id);
}
