import { setTimeout as sleep } from "node:timers/promises";
import { type Answer, answer } from "../../../src/answer/answer.js";
import type { LoadedSnapshot } from "../../../src/server/load-snapshot.js";
import { serverPages } from "../../../src/server/server-pages.js";

const ALL_PAGES = serverPages();

/**
 * How often a client asks again after a 503, as the contract says, and after which milliseconds. A busy machine may
 * miss a deadline.
 */
const TRIES = 8;
const RETRY_MS = 2_000;

/** Requests at the same time. */
const LANES = 2;

/** The answer to a GET. */
export function ask({ snapshot }: LoadedSnapshot, target: string): Promise<Answer> {
  const compress = () => Promise.reject(new Error("not asked for"));
  const context = { snapshot, pages: ALL_PAGES, compress, onDamage: () => {} };
  return answer({ method: "GET", target }, context);
}

/** The answer to a client that asks again after a 503. */
export async function askAgain(loaded: LoadedSnapshot, target: string): Promise<Answer> {
  let given = await ask(loaded, target);
  for (let tried = 1; given.status === 503 && tried < TRIES; tried += 1) {
    await sleep(RETRY_MS);
    given = await ask(loaded, target);
  }
  return given;
}

/** The requests to which two snapshots give answers with another status, header or byte. */
export async function differences(
  one: LoadedSnapshot,
  other: LoadedSnapshot,
  targets: readonly string[],
): Promise<string[]> {
  const different: string[] = [];
  const late: string[] = [];
  const compare = async (open: string[], again: typeof ask) => {
    for (let target = open.pop(); target !== undefined; target = open.pop()) {
      const [expected, given] = await Promise.all([ask(one, target), again(other, target)]);
      if (given.status === 503 && again === ask) {
        late.push(target);
        continue;
      }
      const text = shown(expected);
      const got = shown(given);
      if (text !== got) different.push(`${target}\n${text.slice(0, 500)}\n${got.slice(0, 500)}`);
    }
  };
  const open = [...targets];
  await Promise.all(Array.from({ length: LANES }, () => compare(open, ask)));
  // A busy machine may miss a deadline: those requests get the server for themselves.
  await compare(late, askAgain);
  return different;
}

function shown({ status, headers, body }: Answer): string {
  return JSON.stringify([status, headers, Buffer.from(body ?? []).toString("latin1")]);
}
