import { hash } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { request } from "node:http";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { peakBytes } from "./peak.js";

/*
 * A process of its own that serves one store after the other: a mutant may hang or end it. It is started with the
 * compiled product's folder, told of one mutant at a time, and says how that went.
 */

export interface Task {
  /** The store, in which the mutant is current. */
  readonly store: string;
  readonly id: string;
  /** Whether a server that answers from the good snapshot takes the mutant up, or a new one starts with it. */
  readonly isReload: boolean;
  /** Addresses that are asked for. */
  readonly paths: readonly string[];
  /** By path, the right answer; null where any is. */
  readonly expected: readonly string[] | null;
}

export interface Served {
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
const { serve } = (await import(
  pathToFileURL(join(dist, "src/replica/serve.js")).href
)) as typeof import("../../src/replica/serve.js");

const STEP_MS = 20;

process.on("message", (task: Task) => {
  void run(task).then((served) => process.send?.(served));
});
process.send?.("ready");

async function run({ store, id, isReload, paths, expected }: Task): Promise<Served> {
  const lines: string[] = [];
  const log = (line: string) => {
    lines.push(line);
  };
  const find = (words: string) => lines.find((line) => line.includes(words));
  const refusal = () => find("refused") ?? null;
  const server = await serve(store, { host: "127.0.0.1", port: 0, log });
  try {
    if (isReload) {
      await writeFile(join(store, "current.json"), JSON.stringify({ format: 1, id }));
      server.reload();
    }
    const loaded = `snapshot ${id} loaded`;
    while (find(id === "" ? "loaded" : loaded) === undefined && refusal() === null) {
      await sleep(STEP_MS);
    }
    const isRefused = refusal() !== null;
    const answers = isRefused
      ? []
      : await Promise.all(paths.map((path) => answerOf(server.port, path)));
    const isRight = areRight(answers, expected);
    const told = expected === null ? answers : [];
    return { refusal: refusal(), answers: told, isRight, peakMemory: peakBytes() };
  } finally {
    await server.close();
  }
}

/** An answer may be refused: it is not a wrong one. */
function areRight(answers: readonly string[], expected: readonly string[] | null): boolean {
  return answers.every(
    (answer, at) =>
      !answer.startsWith("untrue") &&
      (expected === null || answer === expected[at] || answer.startsWith("502")),
  );
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}

/** Status, tag where it comes from the content, and body. */
function answerOf(port: number, path: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const asked = request({ port, path, host: "127.0.0.1", agent: false }, (res) => {
      const parts: Buffer[] = [];
      res.on("data", (part: Buffer) => parts.push(part));
      res.on("end", () => {
        const body = Buffer.concat(parts);
        const isStored = /\/(?:report|enrichment|scans)/.test(path) && res.statusCode === 200;
        const tag = isStored ? `${res.headers.etag}` : "";
        const isTrue = !isStored || tag.includes(hash("sha256", body).slice(0, 32));
        resolve(`${isTrue ? res.statusCode : "untrue"} ${tag} ${body.toString("utf8")}`);
      });
    });
    asked.on("error", reject);
    asked.end();
  });
}
