import { openSync } from "node:fs";
import { cp, readdir, readFile, writeFile } from "node:fs/promises";
import type { ServerResponse } from "node:http";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { calls } from "../../src/files/calls.js";
import { lockStore, StoreLockedError } from "../../src/files/lock.js";
import { RemoteError, RemoteSnapshotError } from "../../src/remote/errors.js";
import { pull } from "../../src/remote/pull.js";
import { currentId } from "../../src/store/reader.js";
import { treeOf } from "../store/trees.js";
import { filesIn, filesOf, plainHost } from "./hosts.js";
import { anImitation, BUCKET, type Fault } from "./imitation.js";
import { aPusher, newStore, pointerOf, verifiedPull } from "./pusher.js";

/** A bucket with the first snapshot of a pusher. */
async function aPushed(others?: number) {
  const bucket = await anImitation();
  const pusher = await aPusher(others);
  await pusher.push(0);
  return { bucket, ...pusher };
}

/** The files of a store's snapshots, without the notes, locks and pointers that a pull does not copy. */
async function snapshotFiles(store: string, ids?: string): Promise<Record<string, string>> {
  const tree = await treeOf(store);
  return Object.fromEntries(
    Object.entries(tree).filter(([path]) => !/^(\.notes\.json|current\.json|\.lock)/.test(path)),
  );
}
