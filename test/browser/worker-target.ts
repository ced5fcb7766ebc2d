import { SCRIPTS } from "#scripts/names";
import type { Sent, Target } from "../fetch/comparison.js";
import type { Question } from "../fetch/questions.js";
import { seeded } from "../oracle/random.js";
import type { Records } from "../oracle/records.js";
import { randomRequest } from "../oracle/requests.js";
import type { Page } from "./browsers.js";

/** Asks the worker as the page's scripts do. */
const ASK = `(async (name, requests) => {
  const worker = new Worker("assets/" + name);
  const given = new Map();
  await new Promise((resolve, reject) => {
    worker.onerror = ({ message }) => reject(new Error(message));
    worker.onmessage = ({ data }) => {
      if (!("id" in data)) return;
      given.set(data.id, data);
      if (given.size === requests.length) resolve();
    };
    for (const [id, { target, headers }] of requests.entries()) {
      worker.postMessage({ id, address: target.slice(1), headers });
    }
  });
  worker.terminate();
  return requests.map((_, id) => {
    const { status, headers, body } = given.get(id);
    let text = "";
    for (const byte of new Uint8Array(body)) text += String.fromCharCode(byte);
    return { status, headers: Object.fromEntries(headers), body: btoa(text) };
  });
})`;

/** The search worker of a tree. @param page the tree's explorer */
export function workerTarget(name: string, page: Page): Target {
  const ask = async (requests: readonly Sent[]) => {
    const call = `${ASK}(${JSON.stringify(SCRIPTS.search.name)}, ${JSON.stringify(requests)})`;
    const given = await page.evaluate<{ status: number; headers: object; body: string }[]>(call);
    return given.map(({ status, headers, body }) => ({
      status,
      headers: { ...headers },
      body: Buffer.from(body, "base64"),
    }));
  };
  return { name, ask };
}

/** Random reads of the API whose path matches, as a page's script may send them. */
export function drawnQuestions(count: number, pattern: RegExp, records: Records): Question[] {
  const random = seeded(17);
  const questions: Question[] = [];
  while (questions.length < count) {
    const { pathname, search } = new URL(randomRequest(random, records), "http://localhost");
    const target = pathname + search;
    if (!pattern.test(target)) continue;
    questions.push({ target, method: "GET", headers: {}, isRepeated: true });
  }
  return questions;
}

/** Searches, facets and suggestions: no file has their answers. */
export const COMPUTED_READS = /^\/api\/sites(?:\?|$|\/(?:facets|suggestions))/;
