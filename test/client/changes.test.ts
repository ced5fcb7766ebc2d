import { expect, it } from "vitest";
import { answers, aScript, failureOf, refuses } from "./scripted.js";

const gives = (hosts: readonly string[], cursor: string, isLast = true) =>
  answers({ data: hosts.map((host) => ({ host })), cursor, next: isLast ? null : "/api/changes" });

it("changes come page after page, and the cursor moves on once a page is through", async () => {
  const { client, sent } = aScript([
    gives(["a", "b"], "2~b", false),
    gives(["c"], "3"),
    gives([], "3"),
  ]);
  const changes = client.changes({ since: 1, limit: 2 });
  const seen: (string | undefined)[] = [];
  for await (const { host } of changes) seen.push(`${host} ${changes.cursor}`);
  expect(seen).toEqual(["a 1", "b 1", "c 2~b"]);
  expect(changes.cursor).toBe("3");
  for await (const _ of changes) throw new Error("there is no further change");
  expect(sent.map(({ url }) => url.split("?")[1])).toEqual([
    "limit=2&since=1",
    "limit=2&since=2%7Eb",
    "limit=2&since=3",
  ]);
});

it("a failure leaves the cursor, so that the next loop repeats the page; 410 and a signal end it", async () => {
  const { client } = aScript([
    gives(["a"], "2", false),
    refuses(400),
    gives(["b"], "3"),
    refuses(410),
  ]);
  const changes = client.changes();
  const seen: string[] = [];
  const read = async () => {
    for await (const { host } of changes) seen.push(host);
  };
  expect(await failureOf(read())).toMatchObject({ status: 400 });
  expect(changes.cursor).toBe("2");
  await read();
  expect([seen, changes.cursor]).toEqual([["a", "b"], "3"]);
  expect(await failureOf(read())).toMatchObject({ status: 410 });
  const reason = new Error("enough");
  const aborted = aScript([]).client.changes({ signal: AbortSignal.abort(reason) });
  await expect(aborted[Symbol.asyncIterator]().next()).rejects.toBe(reason);
});
