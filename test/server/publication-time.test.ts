import { stat, utimes, writeFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { layout } from "../../src/store/layout.js";
import { pointerText } from "../../src/store/pointer.js";
import { aListing, aPublishedDirectory } from "../fixtures.js";
import { aService, type Service, send } from "./http.js";

const readyOf = async ({ server }: Service) =>
  JSON.parse((await send(server, "/readyz")).text) as { snapshot: string; publishedAt: string };

it("/readyz says when the snapshot was published, and a build that changes nothing publishes it again", async () => {
  const service = await aService(aPublishedDirectory());
  const current = layout.current(service.store);
  const old = new Date("2026-01-02T03:04:05.000Z");
  await utimes(current, old, old);
  const { snapshot, publishedAt } = await readyOf(service);
  expect(publishedAt).toBe(old.toISOString());
  expect(await service.publish(aPublishedDirectory())).toBe(snapshot);
  const { mtime } = await stat(current);
  expect(await readyOf(service)).toMatchObject({ snapshot, publishedAt: mtime.toISOString() });
  expect(mtime.getTime()).toBeGreaterThan(old.getTime());
});

it("/readyz keeps the time of the snapshot that answers while the store names a refused one, or none", async () => {
  const service = await aService(aPublishedDirectory());
  const before = await readyOf(service);
  const next = aPublishedDirectory({ listings: [aListing({ name: "Next" })] });
  const missing = pointerText({ id: "0".repeat(32), generation: 2, origin: "0".repeat(8) });
  for (const pointer of [missing, "{}"]) {
    await writeFile(layout.current(service.store), pointer);
    expect(await readyOf(service)).toMatchObject(before);
  }
  const id = await service.publish(next);
  await expect.poll(() => readyOf(service)).toMatchObject({ snapshot: id });
  expect((await readyOf(service)).publishedAt > before.publishedAt).toBe(true);
});
