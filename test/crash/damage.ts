import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import type { Snapshot } from "../../src/runtime/snapshot/snapshot.js";
import type { Manifest } from "../../src/store/format.js";
import { copyOf, type Product, pointerOf, type Scenario } from "./product.js";
import { chance, repetitions, SEED } from "./repetitions.js";

type Random = () => number;

/** What a file is damaged to; null deletes it. `other` is a file of the same kind of another snapshot. */
type Damage = (good: Buffer, other: Buffer, random: Random) => Buffer | null;

const DAMAGES: Readonly<Record<string, Damage>> = {
  deleted: () => null,
  zeroed: (good) => Buffer.alloc(good.length),
  half: (good) => good.subarray(0, Math.floor(good.length / 2)),
  empty: () => Buffer.alloc(0),
  "one bit": (good, _, random) => {
    const bytes = Buffer.from(good);
    const at = Math.floor(random() * bytes.length);
    bytes[at] = bytes[at]! ^ (1 << Math.floor(random() * 8));
    return bytes;
  },
  "one byte more": (good, _, random) => Buffer.concat([good, Buffer.from([33 + random() * 90])]),
  "of a sibling's bytes, as long": (good, other) =>
    Buffer.concat([other, Buffer.alloc(good.length)]).subarray(0, good.length),
  "from another snapshot": (_, other) => other,
};

interface StoredPath {
  readonly kind: "pointer" | "manifest" | "document" | "table" | "pack";
  /** Below the store. */
  readonly path: string;
  /** The same of the snapshot before. */
  readonly other: string;
}

/** The files of the current snapshot, and their likes in the one before. */
function filesOf(store: string, id: string, before: string): StoredPath[] {
  const manifestOf = (snapshot: string) =>
    JSON.parse(readFileSync(join(store, snapshot, "manifest.json"), "utf8")) as Manifest;
  const [manifest, former] = [manifestOf(id), manifestOf(before)];
  const documents = readdirSync(join(store, id, "public"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(join(store, id).length + 1));
  return [
    // The pointer's other is what is no pointer: that of the snapshot before would be a good one.
    { kind: "pointer", path: "current.json", other: ".notes" },
    { kind: "manifest", path: `${id}/manifest.json`, other: `${before}/manifest.json` },
    ...documents.map((path, i): StoredPath => {
      // Documents are often the same in both snapshots, so that another document takes their place.
      const sibling = documents[(i + 1) % documents.length] ?? "";
      return { kind: "document", path: `${id}/${path}`, other: `${before}/${sibling}` };
    }),
    ...manifest.segments.flatMap((segment, i) =>
      (["table", "pack"] as const).map((kind) => ({
        kind,
        path: segment[kind].file,
        // The tables of both snapshots are often the same.
        other: former.segments[(i + 1) % former.segments.length]?.[kind].file ?? "",
      })),
    ),
  ];
}

/**
 * P7: each kind of file is damaged in each way. `verify` names the file, loading refuses the snapshot;
 * only the answers of a pack may be damaged without being seen at loading, and then each of them is right or refused.
 * @returns how many damages were tried
 */
export async function damageEachFile(
  product: Product,
  scenario: Scenario,
  times: number,
): Promise<number> {
  const store = copyOf(scenario);
  const id = pointerOf(store);
  const hosts = await hostsOf(product, store, id);
  const whole = await product.loadSnapshot(store, id);
  const answers = await answersOf(whole.snapshot, hosts);
  whole.close();
  const random = chance("P7");
  let tried = 0;
  let damages = 0;
  for (const { kind, path, other } of filesOf(store, id, scenario.older)) {
    const good = readFileSync(join(store, path));
    for (const [name, damage] of Object.entries(DAMAGES)) {
      for (let time = 0; time < times; time += 1) {
        damages += 1;
        if (damages % repetitions("strideOfDamages") !== 0) continue;
        const bytes = damage(good, readFileSync(join(store, other)), random);
        if (bytes === null) rmSync(join(store, path));
        else writeFileSync(join(store, path), bytes);
        const what = `SEED=${SEED}: ${path}, ${name}`;
        await expectFound(product, store, { kind, path, what });
        await expectRefused(product, store, { kind, id, hosts, answers, what });
        writeFileSync(join(store, path), good);
        tried += 1;
      }
    }
  }
  expect((await product.verify(store)).bad).toEqual([]);
  return tried;
}

async function expectFound(
  { verify }: Product,
  store: string,
  { kind, path, what }: { kind: StoredPath["kind"]; path: string; what: string },
): Promise<void> {
  const named = (await verify(store)).bad.map(({ file }) => file);
  // A pointer may be damaged to one that leads nowhere.
  if (kind === "pointer") expect(named, what).toHaveLength(1);
  else expect(named, what).toEqual([path]);
}

interface Damaged {
  readonly kind: StoredPath["kind"];
  readonly id: string;
  readonly hosts: readonly string[];
  readonly answers: ReadonlyMap<string, string>;
  readonly what: string;
}

async function expectRefused(
  product: Product,
  store: string,
  { kind, id, hosts, answers, what }: Damaged,
): Promise<void> {
  if (kind === "pointer") return;
  const loading = product.loadSnapshot(store, id);
  if (kind !== "pack") {
    await expect(loading, what).rejects.toThrow();
    return;
  }
  const loaded = await loading.catch((error: Error) => {
    expect(error.name, what).toBe("BadSnapshotError");
    return null;
  });
  if (loaded === null) return;
  let refused = 0;
  for (const [place, body] of await answersOf(loaded.snapshot, hosts)) {
    if (body === "refused") refused += 1;
    else expect(body, what).toBe(answers.get(place));
  }
  loaded.close();
  expect(refused, what).toBeGreaterThan(0);
}

/** Every answer of a loaded snapshot by its place, or that it was refused. */
async function answersOf(loaded: Snapshot, hosts: readonly string[]): Promise<Map<string, string>> {
  const answers = new Map<string, string>();
  for (const host of hosts) {
    const { report, enrichment, historical } = (await loaded.listing(host))!;
    for (const place of [report, enrichment, ...historical.map((one) => one.report)]) {
      const body = await loaded.readAnswer(place).then(
        (bytes) => Buffer.from(bytes).toString("utf8"),
        (error: Error) => {
          expect(error.name).toBe("BadSnapshotError");
          return "refused";
        },
      );
      answers.set(`${host}:${place.offset}`, body);
    }
  }
  return answers;
}

/** Every host that has a report. */
async function hostsOf({ StoredSnapshot }: Product, store: string, id: string): Promise<string[]> {
  const snapshot = await StoredSnapshot.openManifest(store, id);
  const hosts = Array.from(snapshot.allEntries(), ({ host }) => host);
  snapshot.close();
  return hosts;
}

/** P9: manifests and pointers that do not belong to what is there are refused, with the reason. */
export async function mixSnapshots(product: Product, scenario: Scenario): Promise<void> {
  const store = copyOf(scenario);
  const { before, older } = scenario;
  const manifest = join(store, before, "manifest.json");
  const good = readFileSync(manifest);
  const reasonOf = async (id: string) => {
    const loading = product.loadSnapshot(store, id);
    await expect(loading).rejects.toMatchObject({ name: "BadSnapshotError" });
    return loading.catch(({ message }: Error) => message);
  };
  const withPackOf = JSON.parse(good.toString()) as Manifest;
  const other = JSON.parse(readFileSync(join(store, older, "manifest.json"), "utf8")) as Manifest;
  Object.assign(withPackOf.segments[0] ?? {}, { pack: other.segments[0]?.pack });
  writeFileSync(manifest, JSON.stringify(withPackOf));
  expect(await reasonOf(before)).toBe(`${before}/manifest.json does not match its id`);
  const missing = "0".repeat(32);
  writeFileSync(join(store, "current.json"), JSON.stringify({ format: 1, id: missing }));
  expect(await reasonOf(missing)).toBe(`${missing}/manifest.json cannot be read: ENOENT`);
  const { bad } = await product.verify(store);
  expect(bad.map(({ file }) => file)).toEqual([`${missing}/manifest.json`]);
}
