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
  /** By path, the right answer; a list of another length where only a refusal is right, null where anything is. */
  readonly expected: readonly string[] | null;
}

export interface Served {
  /** Why the snapshot was refused; null where it answers. */
  readonly refusal: string | null;
  /** By path: status, tag and body; given only where nothing was expected. */
  readonly answers: readonly string[];
  readonly isRight: boolean;
  /** Whether it answers rightly because the shards took the place of the columns. */
  readonly isCorrected: boolean;
  /** Bytes. */
  readonly peakMemory: number;
}

const [dist = ""] = process.argv.slice(2);
const { serve } = (await import(
  pathToFileURL(join(dist, "src/replica/serve.js")).href
)) as typeof import("../../src/replica/serve.js");

/** Milliseconds until a snapshot that answered wrongly has to answer rightly. */
const CORRECTION_MS = 60_000;
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
    let answers: string[] = [];
    let isRight = expected === null;
    /** Whether the shards took the place of the columns. */
    const isCorrected = () => {
      const told = lines.findIndex((line) => line.includes("the shards are used"));
      return told >= 0 && (isReload || lines.slice(told).some((line) => line.includes(loaded)));
    };
    const end = Date.now() + CORRECTION_MS;
    while (refusal() === null) {
      answers = await Promise.all(paths.map((path) => answerOf(server.port, path)));
      isRight ||= areRight(answers, expected ?? []);
      if (isRight || isCorrected() || Date.now() > end) break;
      await sleep(STEP_MS);
    }
    if (isCorrected() && expected !== null && expected.length > 0 && !isRight) {
      answers = await Promise.all(paths.map((path) => answerOf(server.port, path)));
      isRight = areRight(answers, expected);
    }
    isRight ||= isCorrected() && expected?.length === 0;
    const told = expected === null ? answers : [];
    const served = { answers: told, isRight, isCorrected: isRight && isCorrected() };
    return { refusal: refusal(), ...served, peakMemory: peakBytes() };
  } finally {
    await server.close();
  }
}

/** An answer may be refused: it is not a wrong one. */
function areRight(answers: readonly string[], expected: readonly string[]): boolean {
  return (
    answers.length === expected.length &&
    answers.every((answer, at) => answer === expected[at] || answer.startsWith("502"))
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
        const tag = /\/(?:report|enrichment|scans)/.test(path) ? res.headers.etag : "";
        resolve(`${res.statusCode} ${tag} ${Buffer.concat(parts).toString("utf8")}`);
      });
    });
    asked.on("error", reject);
    asked.end();
  });
}
