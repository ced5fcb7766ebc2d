import { existsSync, readdirSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { calls } from "../../src/files/calls.js";
import { isWithin } from "../../src/files/paths.js";
import { readNotes } from "../../src/publish/notes.js";
import { readManifest } from "../../src/publish/publish.js";
import { storedFiles } from "../../src/store/format.js";
import { snapshots } from "../../src/upkeep/snapshots.js";
import { WAYS } from "../extras/ways.js";
import { treeOf } from "./trees.js";

/* Processes that are killed while they write to a store, and what may be left of them. */

type CallName = keyof typeof calls;
/** Says before which call a process dies. */
export type DiesAt = (number: number, name: CallName, path: string) => boolean;

/** Runs an action whose process dies at a call. @returns whether it died, rather than end before that */
export async function dying(diesAt: DiesAt, action: () => Promise<unknown>): Promise<boolean> {
  const real = { ...calls };
  let number = 0;
  let isDead = false;
  for (const name of Object.keys(real) as CallName[]) {
    const call = real[name] as (...args: unknown[]) => unknown;
    const hooked = (...args: unknown[]) => {
      number += 1;
      isDead ||= diesAt(number, name, String(args.at(name === "rename" ? 1 : 0)));
      if (isDead) throw new Error("the process is dead");
      return call(...args);
    };
    Object.assign(calls, { [name]: hooked });
  }
  try {
    await action().catch((error: unknown) => {
      if (!isDead) throw error;
    });
  } finally {
    Object.assign(calls, real);
  }
  return isDead;
}

export const atRenameTo =
  (file: string): DiesAt =>
  (_number, name, path) =>
    name === "rename" && path.endsWith(`/${file}`);

/** Has the notes be written long after the input, and the snapshots stop being current long ago. */
export function letTimePass(store: string): void {
  if (!existsSync(store)) return;
  const past = new Date(Date.now() - 120_000);
  const future = new Date(Date.now() + 120_000);
  if (existsSync(join(store, ".notes"))) utimesSync(join(store, ".notes"), future, future);
  for (const name of readdirSync(store)) {
    if (/^[0-9a-f]{32}$/.test(name)) utimesSync(join(store, name), past, past);
  }
}

/** Expects a store to have only published snapshots, and only the files that these and its own work need. */
export async function expectOnlyNamed(store: string, keep: number, what: string): Promise<void> {
  const { publications } = await readNotes(store);
  const ids = readdirSync(store).filter((name) => /^[0-9a-f]{32}$/.test(name));
  const named = new Set(["current.json", ".notes"]);
  for (const id of ids) {
    expect(publications, what).toContain(id);
    named.add(`${id}/manifest.json`);
    const manifest = (await readManifest(store, id))!;
    for (const { file } of storedFiles(id, manifest)) named.add(file);
  }
  const others = Object.values(WAYS).flatMap(({ stores }) => stores(store));
  const found = Object.keys(await treeOf(store)).filter(
    (file) => !others.some((other) => isWithin(other, join(store, file))),
  );
  expect(found, what).toEqual([...named].sort());
  // The one that was current until now stays for a minute.
  expect(ids.length, what).toBeLessThanOrEqual(keep + 1);
  const listed = (await snapshots(store)).map(({ id }) => id);
  expect(listed.sort(), what).toEqual(ids.sort());
}
