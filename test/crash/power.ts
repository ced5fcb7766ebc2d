import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { expect } from "vitest";
import { type Call, commitOf, withHook } from "./faults.js";
import {
  ageSnapshots,
  copyOf,
  expectRepair,
  type Product,
  readWhole,
  type Scenario,
} from "./product.js";
import { chance, pick, SEED } from "./repetitions.js";

/** A file: its bytes, and those that are on the disk for certain. */
interface FileNode {
  readonly kind: "file";
  bytes: Buffer;
  synced: Buffer;
}

/**
 * A folder: the names that are on the disk for certain, and the changes since, each of which may or may
 * not be on the disk, whatever became of those before it. A rename is one change.
 */
interface FolderNode {
  readonly kind: "folder";
  synced: Map<string, TreeNode>;
  readonly unsynced: Change[];
}

type TreeNode = FileNode | FolderNode;
type Change = ReadonlyMap<string, TreeNode | null>;

/** What a loss of power does with what was not synced. */
export interface Loss {
  /** Whether a change of a folder's names is on the disk. */
  keepsName(): boolean;
  /** What is found in a file, of which `bytes` were written and `synced` were synced. */
  bytesOf(bytes: Buffer, synced: Buffer): Buffer;
}

const NOTHING = Buffer.alloc(0);

/** What may become of the bytes of a file that were not synced: none, all, zeros, a part, garbage, a flipped bit. */
export const DAMAGES: readonly ((bytes: Buffer, synced: Buffer) => Buffer)[] = [
  (_, synced) => synced,
  (bytes) => bytes,
  (bytes) => Buffer.alloc(bytes.length),
  (bytes) => bytes.subarray(0, Math.floor(bytes.length / 2)),
  (bytes) => Buffer.alloc(bytes.length, "garbage"),
  (bytes) => {
    const flipped = Buffer.from(bytes);
    const middle = Math.floor(bytes.length / 2);
    if (middle < flipped.length) flipped[middle] = flipped[middle]! ^ 4;
    return flipped;
  },
];

/** Half of what was not synced, at random, each file with a damage at random. */
export function randomLoss(random: () => number): Loss {
  return {
    keepsName: () => random() < 0.5,
    bytesOf: (bytes, synced) => pick(random, DAMAGES)(bytes, synced),
  };
}

/** All or none of the names, all files with the same damage. */
export function uniformLoss(keepsNames: boolean, damage: (typeof DAMAGES)[number]): Loss {
  return { keepsName: () => keepsNames, bytesOf: damage };
}

/**
 * A disk as POSIX promises it, and no more: a file's bytes are there after its fsync, a name after the
 * fsync of its folder. It follows a build's calls, which happen on the real disk as well.
 */
export class ModelDisk {
  readonly #root: FolderNode;
  readonly #path: string;
  readonly #descriptors = new Map<number, TreeNode>();

  /** @param path a folder of which everything is on the disk for certain */
  constructor(path: string) {
    this.#path = path;
    this.#root = readFolder(path);
  }

  /** @param result what the call gave: `create` and `openFolder` a descriptor, `write` a number of bytes */
  follow({ name, args: [first, second, third] }: Call, result: unknown): void {
    const path = String(first);
    const open = () => this.#descriptors.get(first as number) as TreeNode;
    switch (name) {
      case "mkdir":
        this.#change(path, { kind: "folder", synced: new Map(), unsynced: [] });
        break;
      case "create": {
        const file: FileNode = { kind: "file", bytes: NOTHING, synced: NOTHING };
        this.#change(path, file);
        this.#descriptors.set(result as number, file);
        break;
      }
      case "openFolder":
        this.#descriptors.set(result as number, this.#node(path));
        break;
      case "write": {
        const file = open() as FileNode;
        const from = third as number;
        const written = (second as Buffer).subarray(from, from + (result as number));
        file.bytes = Buffer.concat([file.bytes, written]);
        break;
      }
      case "fsync":
        sync(open());
        break;
      case "rename":
        this.#rename(path, String(second));
        break;
      case "unlink":
      case "rmdir":
        this.#change(path, null);
        break;
      case "close":
        this.#descriptors.delete(first as number);
    }
  }

  /** Writes what is found after a loss of power at this moment. */
  loseAt(folder: string, loss: Loss): void {
    writeFolder(folder, this.#root, loss);
  }

  #change(path: string, node: TreeNode | null): void {
    this.#folder(dirname(path)).unsynced.push(new Map([[basename(path), node]]));
  }

  #rename(from: string, to: string): void {
    if (dirname(from) !== dirname(to)) throw new Error(`${from} moves into another folder`);
    const change = new Map([
      [basename(from), null],
      [basename(to), this.#node(from)],
    ]);
    this.#folder(dirname(to)).unsynced.push(change);
  }

  #folder(path: string): FolderNode {
    return this.#node(path) as FolderNode;
  }

  #node(path: string): TreeNode {
    if (path === this.#path) return this.#root;
    const node = namesOf(this.#folder(dirname(path)), () => true).get(basename(path));
    if (node === undefined) throw new Error(`the model has no ${path}`);
    return node;
  }
}

function namesOf(
  { synced, unsynced }: FolderNode,
  keeps: () => boolean,
): ReadonlyMap<string, TreeNode> {
  const names = new Map(synced);
  for (const change of unsynced) {
    if (!keeps()) continue;
    for (const [name, node] of change) {
      if (node === null) names.delete(name);
      else names.set(name, node);
    }
  }
  return names;
}

function sync(node: TreeNode): void {
  if (node.kind === "file") {
    node.synced = node.bytes;
    return;
  }
  node.synced = new Map(namesOf(node, () => true));
  node.unsynced.length = 0;
}

function readFolder(path: string): FolderNode {
  const names = readdirSync(path).map((name): [string, TreeNode] => {
    const inner = join(path, name);
    if (statSync(inner).isDirectory()) return [name, readFolder(inner)];
    const bytes = readFileSync(inner);
    return [name, { kind: "file", bytes, synced: bytes }];
  });
  return { kind: "folder", synced: new Map(names), unsynced: [] };
}

function writeFolder(path: string, folder: FolderNode, loss: Loss): void {
  mkdirSync(path);
  for (const [name, node] of namesOf(folder, loss.keepsName)) {
    const inner = join(path, name);
    if (node.kind === "folder") writeFolder(inner, node, loss);
    else {
      const isSynced = node.synced === node.bytes;
      writeFileSync(inner, isSynced ? node.bytes : loss.bytesOf(node.bytes, node.synced));
    }
  }
}

/** A build's calls, to be followed by a model of the disk. */
export interface Recording {
  /** The store as it was before. */
  readonly store: string;
  readonly calls: readonly (Call & { readonly result: unknown })[];
  /** The number of the call that makes the new snapshot current. */
  readonly commit: number;
  /** The new snapshot's id. */
  readonly id: string;
}

/** Records a build, of a store that is copied, or of one that is not there yet. */
export async function record(
  product: Product,
  scenario: Scenario,
  isNew: boolean,
): Promise<Recording> {
  const copy = copyOf(scenario);
  const store = join(copy, "..", `${basename(copy)}-recorded`);
  const root = isNew ? `${copy}-empty` : copy;
  if (isNew) mkdirSync(root);
  mkdirSync(store);
  const out = isNew ? join(root, "new", "store") : root;
  const model = join(store, "before");
  writeFolder(
    model,
    readFolder(root),
    uniformLoss(true, (bytes) => bytes),
  );
  const made: (Call & { result: unknown })[] = [];
  const { id } = await withHook(
    product,
    (call, real) => {
      const args = call.args.map((arg) => {
        if (typeof arg === "string") return arg.replace(root, model);
        return Buffer.isBuffer(arg) ? Buffer.from(arg) : arg;
      });
      const result = real();
      made.push({ ...call, args, result });
      return result;
    },
    () => scenario.publish(out),
  );
  rmSync(root, { recursive: true });
  return { store: model, calls: made, commit: commitOf(made), id };
}

/** After so many losses of power the next build is tried as well, which takes longer than reading. */
const REPAIR_EVERY = 20;

interface Moment {
  /** How many of the build's calls were made. */
  readonly made: number;
  readonly loss: Loss;
}

/**
 * P5: power is lost at whatever call of a build, and of what was not synced all, none or any part is on
 * the disk. Readers find the old snapshot or the new one as a whole; once the build is done the new one.
 * @returns how many states were looked at
 */
export async function losePower(
  product: Product,
  scenario: Scenario,
  states: number,
  isNew = false,
): Promise<number> {
  const random = chance(`power ${isNew}`);
  const recording = await record(product, scenario, isNew);
  const moments = momentsOf(recording, states, random);
  const model = new ModelDisk(recording.store);
  let done = 0;
  for (let made = 0; made <= recording.calls.length; made += 1) {
    for (const { loss } of moments.get(made) ?? []) {
      const state = join(scenario.folder, `lost-${done}`);
      model.loseAt(state, loss);
      const store = isNew ? join(state, "new", "store") : state;
      const what = `SEED=${SEED}: state ${done}, after call ${made} of ${recording.calls.length}`;
      await expectReadable(product, scenario, store, recording, made, isNew, what);
      if (done % REPAIR_EVERY === 0 && !isNew) {
        ageSnapshots(store);
        await expectRepair(product, scenario, store);
      }
      rmSync(state, { recursive: true });
      done += 1;
    }
    const call = recording.calls[made];
    if (call !== undefined) model.follow(call, call.result);
  }
  return done;
}

async function expectReadable(
  product: Product,
  { before }: Scenario,
  store: string,
  { calls, commit, id: after }: Recording,
  made: number,
  isNew: boolean,
  what: string,
): Promise<void> {
  if (isNew && !existsSync(join(store, "current.json"))) {
    expect(made, what).toBeLessThan(calls.length);
    return;
  }
  const id = await readWhole(product, store).catch((error: Error) => {
    throw new Error(`${what}: ${error.message}`, { cause: error });
  });
  if (made < commit) expect(id, what).toBe(before);
  else if (made === calls.length) expect(id, what).toBe(after);
  else expect([before, after], what).toContain(id);
}

/** Each call in turn: twice a uniform loss, another each time, then one by chance. */
function momentsOf(
  { calls }: Recording,
  states: number,
  random: () => number,
): ReadonlyMap<number, readonly Moment[]> {
  const uniform = [true, false].flatMap((keepsNames) =>
    DAMAGES.map((damage) => uniformLoss(keepsNames, damage)),
  );
  const moments = new Map<number, Moment[]>();
  for (let state = 0; state < states; state += 1) {
    const made = state % (calls.length + 1);
    const round = Math.floor(state / (calls.length + 1));
    const loss = round % 3 === 2 ? undefined : uniform[(made + round) % uniform.length];
    const moment = { made, loss: loss ?? randomLoss(random) };
    moments.set(made, [...(moments.get(made) ?? []), moment]);
  }
  return moments;
}
