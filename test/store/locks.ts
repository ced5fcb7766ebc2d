import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { lockStore, StoreLockedError } from "../../src/files/lock.js";
import { temporaryFolder } from "../fixtures.js";

export const TOKEN = "0123456789abcdef".repeat(2);

export async function aStore(): Promise<string> {
  const store = join(await temporaryFolder(), "store");
  mkdirSync(store);
  return store;
}

/** The one file of a store's lock. */
export function lockFile(store: string): string {
  const [name = "none", ...others] = readdirSync(join(store, ".lock"));
  expect(others).toEqual([]);
  return join(store, ".lock", name);
}

export interface Owner {
  readonly host: string;
  readonly pid: number;
  readonly machine: string | null;
  readonly started: string | null;
}

export const ownerOf = (store: string) =>
  JSON.parse(readFileSync(lockFile(store), "utf8")) as Owner;

/** This process as its locks name it. */
export async function thisOwner(): Promise<Owner> {
  const store = await aStore();
  const lock = await lockStore(store);
  const owner = ownerOf(store);
  await lock.free();
  return owner;
}

/** A lock that another owner left, who wrote its file so many seconds ago. */
export function leave(store: string, owner: object | string, seconds: number): void {
  rmSync(join(store, ".lock"), { recursive: true, force: true });
  mkdirSync(join(store, ".lock"));
  const file = join(store, ".lock", TOKEN);
  writeFileSync(file, typeof owner === "string" ? owner : JSON.stringify(owner));
  const then = Date.now() / 1_000 - seconds;
  utimesSync(file, then, then);
}

/** The number of a process that has ended. */
export function deadProcess(): number {
  return spawnSync("true").pid;
}

export async function expectFree(store: string): Promise<void> {
  await (await lockStore(store)).free();
  expect(readdirSync(store)).toEqual([]);
}

export async function expectHeld(store: string): Promise<void> {
  const before = readdirSync(store, { recursive: true });
  await expect(lockStore(store)).rejects.toBeInstanceOf(StoreLockedError);
  expect(readdirSync(store, { recursive: true })).toEqual(before);
}
