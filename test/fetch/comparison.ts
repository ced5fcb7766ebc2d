import { brotliDecompressSync, gunzipSync } from "node:zlib";
import type { Question } from "./questions.js";

/** A request as a target sends it. */
export type Sent = Omit<Question, "isRepeated">;

export interface Given {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** As received, compressed or not. */
  readonly body: Uint8Array;
}

/** Something that answers requests of the API: a server, or a fetch handler somewhere. */
export interface Target {
  readonly name: string;
  /** Answers several requests, in their order. */
  ask(requests: readonly Sent[]): Promise<Given[]>;
  /** Headers that do not get through to it, or back from it, and why. */
  readonly lost?: Readonly<Record<string, string>>;
}

/** How a target's answer differs from the reference's. */
export interface Difference {
  readonly request: Sent;
  readonly expected: unknown;
  readonly given: unknown;
}

const AT_ONCE = 50;
/** These belong to a connection and not to an answer. */
const OF_CONNECTIONS = ["date", "connection", "keep-alive", "transfer-encoding"];

/**
 * Asks a target and the reference the same questions. Repeats those that are to be repeated, each target with the
 * entity tag that it has just given.
 * @returns how many answers were compared, by status, and all differences
 */
export async function compare(
  reference: Target,
  target: Target,
  questions: readonly Question[],
): Promise<{ readonly statuses: ReadonlyMap<number, number>; readonly differences: Difference[] }> {
  const statuses = new Map<number, number>();
  const differences: Difference[] = [];
  const lost = Object.keys(target.lost ?? {});
  const check = async (requests: readonly Sent[], own: readonly Sent[] = requests) => {
    const [expected, given] = await Promise.all([
      reference.ask(requests.map(withoutBrotli)),
      target.ask(own),
    ]);
    for (const [i, request] of requests.entries()) {
      const wanted = comparable(expected[i], lost);
      const got = comparable(given[i], lost);
      statuses.set(wanted.status, (statuses.get(wanted.status) ?? 0) + 1);
      if (JSON.stringify(wanted) !== JSON.stringify(got)) {
        differences.push({ request, expected: wanted, given: got });
      }
    }
    return [expected, given] as const;
  };
  for (let from = 0; from < questions.length; from += AT_ONCE) {
    const some = questions.slice(from, from + AT_ONCE);
    const [expected, given] = await check(some);
    const again = (answers: readonly Given[]) =>
      some.flatMap((question, i) => {
        const etag = answers[i]?.headers.etag;
        if (!question.isRepeated || expected[i]?.headers.etag === undefined) return [];
        return { ...question, headers: { ...question.headers, "if-none-match": etag ?? "" } };
      });
    await check(again(expected), again(given));
  }
  return { statuses, differences };
}

/** A fetch handler has no brotli: its answer is the one of the server to a client without brotli. */
export function withoutBrotli(request: Sent): Sent {
  const sent = request.headers["accept-encoding"];
  if (sent === undefined) return request;
  const codings = sent.split(",").filter((one) => !/^\s*br\s*(;|$)/i.test(one));
  return {
    ...request,
    headers: { ...request.headers, "accept-encoding": [...codings, "br;q=0"].join(",") },
  };
}

/** An answer as it can be compared. Two gzips of one body may differ in their bytes, and so in their length. */
export function comparable(given: Given | undefined, lost: readonly string[] = []) {
  if (given === undefined) throw new Error("a request has no answer");
  const { status, headers, body } = given;
  const coding = body.length === 0 ? undefined : headers["content-encoding"];
  const isGzip = headers["content-encoding"] === "gzip";
  const left = Object.entries(headers).filter(
    ([name]) =>
      !OF_CONNECTIONS.includes(name) &&
      !lost.includes(name) &&
      !(isGzip && name === "content-length"),
  );
  left.sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    status,
    headers: Object.fromEntries(left),
    body: decoded(body, coding).toString("latin1"),
  };
}

function decoded(body: Uint8Array, coding: string | undefined): Buffer {
  if (coding === "gzip") return gunzipSync(body);
  if (coding === "br") return brotliDecompressSync(body);
  return Buffer.from(body);
}

/** The differences as a failed test prints them: few, and short. */
export function shortly(differences: readonly Difference[]): string[] {
  return differences.slice(0, 5).map((one) => JSON.stringify(one, null, 1).slice(0, 2_000));
}

/** So many answers of each status. */
export function countsOf(statuses: ReadonlyMap<number, number>): string {
  const sorted = [...statuses].sort(([a], [b]) => a - b);
  const total = sorted.reduce((sum, [, count]) => sum + count, 0);
  return `${total} answers (${sorted.map(([status, count]) => `${count} × ${status}`).join(", ")})`;
}
