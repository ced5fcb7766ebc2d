import { spawn } from "node:child_process";
import { once } from "node:events";
import { statSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { expect } from "vitest";
import { exportSite } from "../../src/export/export.js";
import { COMMAND } from "../cli/spawned.js";
import { aListing, aPublishedDirectory, aScan, type PublishedFiles } from "../fixtures.js";
import { seeded } from "../oracle/random.js";
import { treeOf } from "../store/trees.js";
import { aSite, type Site } from "./sites.js";

/** Enough listings that an export takes a while; every third is another one in the second state. */
function state(second: boolean): PublishedFiles {
  const hosts = Array.from({ length: 60 }, (_, i) => `site-${i}.example`);
  const listings = hosts.map((host, i) => {
    const change = [{ visibility: "removed" }, { name: "Another" }, { entitlements: {} }][i % 9];
    const history = { entitlements: { history: true } };
    return aListing({ host, ...history, ...(second ? (change as object) : {}) });
  });
  const scans = hosts.flatMap((host) => [
    aScan({ host, id: "new" }),
    aScan({ host, id: "old", finishedAt: "2025-01-01T00:00:00Z" }),
  ]);
  return aPublishedDirectory({ listings, scans });
}

/** Where the killed exports ended. */
export interface Killed {
  /** Before it changed anything, midway, after it was done. */
  readonly before: number;
  readonly midway: number;
  readonly after: number;
}

/**
 * Has an export killed at random times, as often as asked for, each time between two states of a
 * directory, and expects of the next one the exact tree of the state that is current then.
 */
export async function killExports(times: number, seed: number, packed: boolean): Promise<Killed> {
  const random = seeded(seed);
  const states = [state(false), state(true)];
  const site = await aSite(states[0]!);
  const plain = { for: "plain", packed } as const;
  const ids = [(await site.export(plain)).id, await site.publish(states[1]!)];
  const trees: Record<string, string>[] = [];
  // What it takes from the one state to the other, by the one that it begins with.
  const durations: Durations[] = [];
  for (const place of [1, 0]) {
    await site.makeCurrent(ids[place]!);
    durations[1 - place] = await exported(site, packed);
    trees[place] = await treeOf(site.site);
    const fresh = `${site.site}-${place}`;
    await exportSite(fresh, { store: site.store, packed });
    expect(trees[place]).toEqual(await treeOf(fresh));
  }
  const killed = { before: 0, midway: 0, after: 0 };
  let now = 0;
  for (let i = 0; i < times; i += 1) {
    const next = 1 - now;
    await site.makeCurrent(ids[next]!);
    const { before, writing } = durations[now]!;
    const kill =
      random() < 0.3
        ? { from: "start" as const, delay: 1.1 * random() * (before + writing) }
        : { from: "record" as const, delay: 1.1 * random() * writing };
    await exported(site, packed, kill);
    const left = JSON.stringify(await treeOf(site.site));
    if (left === JSON.stringify(trees[next])) killed.after += 1;
    else if (left === JSON.stringify(trees[now])) killed.before += 1;
    else killed.midway += 1;
    // Half of the time the state before comes back, as by a rollback.
    now = random() < 0.5 ? next : now;
    await site.makeCurrent(ids[now]!);
    await site.export(plain);
    expect([i, kill, await treeOf(site.site)]).toEqual([i, kill, trees[now]]);
  }
  return killed;
}

/** Milliseconds until an export writes its record, which is before any other file, and from then on. */
interface Durations {
  readonly before: number;
  readonly writing: number;
}

/** Runs the real command; where it is to be killed, so many milliseconds after its start, or after its record. */
async function exported(
  { site, store }: Site,
  packed: boolean,
  kill?: { from: "start" | "record"; delay: number },
): Promise<Durations> {
  const record = () => statSync(`${site}.crawldex.json`, { bigint: true }).ino;
  const former = record();
  const began = performance.now();
  const args = ["export", site, "--store", store, ...(packed ? ["--packed"] : [])];
  const child = spawn(process.execPath, [COMMAND, ...args], { stdio: "ignore" });
  const ended = once(child, "exit");
  while (kill?.from !== "start" && child.exitCode === null && record() === former) {
    await setTimeout(1);
  }
  const written = performance.now();
  if (kill !== undefined) {
    await Promise.race([ended, setTimeout(kill.delay)]);
    child.kill("SIGKILL");
  }
  await ended;
  return { before: written - began, writing: performance.now() - written };
}
