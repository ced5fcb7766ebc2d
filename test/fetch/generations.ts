import { cp, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { build } from "../../src/publish/build.js";
import { serve } from "../../src/server/serve.js";
import type { SignManifest } from "../../src/store/signature.js";
import { temporaryFolder } from "../fixtures.js";
import { seeded } from "../oracle/random.js";
import { loadRecords } from "../oracle/records.js";
import { NO_PICTURES } from "../pictures.js";
import { writeSample } from "../sample/larger.js";
import { comparable } from "./comparison.js";
import { type Question, questionsAbout } from "./questions.js";
import { serverTarget } from "./targets.js";

/** An answer that the server gives. */
export type Expected = ReturnType<typeof comparable>;

/** One published snapshot of a directory. */
export interface Generation {
  readonly id: string;
  /** The server's answers to the questions. */
  readonly answers: readonly Expected[];
}

/** The folder of an origin that has published several snapshots. */
export interface Origin {
  readonly folder: string;
  readonly generations: readonly Generation[];
  readonly questions: readonly Question[];
  /** Makes it look as it did after so many generations. */
  rewind(count: number): Promise<void>;
}

const LISTINGS = 20;
const HOSTS = 2;
const DRAWN = 15;

/**
 * The same for all tests of a file: it is there from before the first until after the last.
 * @param sign signs each snapshot. Default: they are not signed
 */
export function sharedOrigin(count: number, sign?: SignManifest): Origin {
  const origin = {};
  let cleanUp = async () => {};
  beforeAll(async () => {
    const folder = await temporaryFolder((remove) => {
      cleanUp = remove;
    });
    Object.assign(origin, await publishedOrigin(folder, count, sign));
  });
  afterAll(() => cleanUp());
  return origin as Origin;
}

/** Builds so many snapshots, each with a few more listings than the last one. */
export async function publishedOrigin(
  folder: string,
  count: number,
  sign?: SignManifest,
): Promise<Origin> {
  const published = join(folder, "published");
  const store = join(folder, "store");
  const origin = join(folder, "origin");
  const generations: Generation[] = [];
  const pointers: string[] = [];
  let questions: Question[] = [];
  for (let number = 1; number <= count; number += 1) {
    await rm(published, { recursive: true, force: true });
    await writeSample(published, { listings: LISTINGS + 3 * number, seed: 3 });
    await build(published, { store, jobs: 1, keep: count });
    if (number === 1) questions = questionsOf(loadRecords(published));
    const pointer = await readFile(join(store, "current.json"), "utf8");
    const { id } = JSON.parse(pointer);
    pointers.push(pointer);
    const signed = join(store, id, "manifest.json");
    const signature = sign?.(await readFile(signed), id, number);
    if (signature !== undefined) await writeFile(`${signed}.minisig`, signature);
    generations.push({ id, answers: await answersOf(store, questions) });
  }
  await cp(store, origin, { recursive: true });
  const rewind = (left: number) =>
    writeFile(join(origin, "current.json"), pointers[left - 1] ?? "");
  await rewind(count);
  return { folder: origin, generations, questions, rewind };
}

/** Some questions whose answers depend on nothing but the snapshot. */
function questionsOf(records: ReturnType<typeof loadRecords>): Question[] {
  const questions = questionsAbout(records, seeded(5), { drawn: DRAWN, hosts: HOSTS }).filter(
    ({ target, headers }) =>
      !/^\/(?:readyz|assets|sitemaps\/[1-9])/.test(target) && !("accept-encoding" in headers),
  );
  return questions.filter(({ target }, i) => i % 3 === 0 || target.endsWith("/report"));
}

async function answersOf(store: string, questions: readonly Question[]): Promise<Expected[]> {
  const server = await serve(store, { port: 0, ...NO_PICTURES, cacheMb: 0 });
  const given = await serverTarget("crawldex serve", server.url).ask(questions);
  await server.close();
  return given.map((one) => comparable(one));
}
