import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { writePublished } from "../fixtures.js";
import { openWhole } from "../store/answers.js";
import {
  aDirectory,
  ageSnapshots,
  contentOf,
  copyOf,
  expectLike,
  expectRepair,
  KEEP,
  type Product,
  readWhole,
  type Scenario,
} from "./product.js";
import { chance, repetitions } from "./repetitions.js";

type Calls = Product["calls"];
export type CallName = keyof Calls;

/** One call of the system that a build makes: its number, name, and the path or descriptor it is about. */
export interface Call {
  readonly number: number;
  readonly name: CallName;
  readonly args: readonly unknown[];
}

/** Has every call of the system pass `hook` while `action` runs. */
export async function withHook<T>(
  { calls }: Product,
  hook: (call: Call, real: () => unknown) => unknown,
  action: () => Promise<T>,
): Promise<T> {
  const real = { ...calls };
  let number = 0;
  for (const name of Object.keys(real) as CallName[]) {
    const realCall = real[name] as (...args: unknown[]) => unknown;
    const hooked = (...args: unknown[]) => {
      number += 1;
      return hook({ number, name, args }, () => realCall(...args));
    };
    Object.assign(calls, { [name]: hooked });
  }
  try {
    return await action();
  } finally {
    Object.assign(calls, real);
  }
}

/** Every call of a publication that nothing hinders, in order. */
export async function callsOf(product: Product, scenario: Scenario): Promise<Call[]> {
  const made: Call[] = [];
  const store = copyOf(scenario);
  await withHook(
    product,
    (call, real) => {
      made.push(call);
      return real();
    },
    () => scenario.publish(store),
  );
  rmSync(store, { recursive: true });
  return made;
}

/** The number of the call that makes the new snapshot current. */
export function commitOf(made: readonly Call[]): number {
  return renameTo(made, "current.json");
}

/** The number of the one call that puts a file into its place in the store. */
export function renameTo(made: readonly Call[], file: string): number {
  const renames = made.filter(
    ({ name, args }) => name === "rename" && String(args[1]).endsWith(`/${file}`),
  );
  expect(renames).toHaveLength(1);
  return renames[0]?.number ?? 0;
}

/**
 * P2: a build, join or rollback ends at each of its calls, the call made half or not at all, as a death
 * of the process would end it. Readers find the old snapshot before the commit and the new one after it.
 * @returns how many calls were tried
 */
export async function dieAtEachCall(product: Product, scenario: Scenario): Promise<number> {
  const made = await callsOf(product, scenario);
  const commit = commitOf(made);
  const tried = someOf(made);
  for (const { number, name } of tried) {
    const store = copyOf(scenario);
    const death = new Error("dead");
    const publishing = withHook(
      product,
      (call, real) => {
        if (call.number < number) return real();
        if (call.number === number && name === "write") writeHalf(call, real);
        throw death;
      },
      () => scenario.publish(store),
    );
    await expect(publishing).rejects.toThrow();
    const expected = number <= commit ? scenario.before : scenario.after;
    expect(await readWhole(product, store), `killed at call ${number}, ${name}`).toBe(expected);
    await expectEachOpens(product, store);
    await expectRepair(product, scenario, store);
    rmSync(store, { recursive: true });
  }
  return tried.length;
}

export function someOf<C extends Pick<Call, "number">>(made: readonly C[]): C[] {
  const stride = repetitions("strideOfCalls");
  const first = Math.floor(chance("calls")() * stride);
  return made.filter(({ number }) => number % stride === first);
}

/** Lets the first half of a write happen. */
function writeHalf({ args }: Call, real: () => unknown): void {
  const bytes = args[1] as Uint8Array;
  (args as unknown[])[1] = bytes.subarray(0, bytes.length / 2);
  real();
}

/** Every folder that bears a snapshot's name is one as a whole. */
export async function expectEachOpens(product: Product, store: string): Promise<void> {
  for (const id of readdirSync(store).filter((name) => /^[0-9a-f]{32}$/.test(name))) {
    (await openWhole(store, id, product.StoredSnapshot)).close();
  }
}

export const ERRORS = ["EIO", "ENOSPC", "EMFILE", "EACCES", "EROFS", "EXDEV"] as const;

/**
 * P3: each call of a build or join fails. It fails with the place and the system's word; before the
 * commit nothing has changed and nothing is left, after it the message says that it stands.
 * @param errorsACall how many of the errors each call fails with
 * @returns how many failures were tried
 */
export async function failEachCall(
  product: Product,
  scenario: Scenario,
  errorsACall: number,
): Promise<number> {
  const made = await callsOf(product, scenario);
  const commit = commitOf(made);
  /** Whether a call closes or deletes an unfinished file that is discarded. If that fails, the next run deletes it. */
  const isDiscard = (number: number) =>
    made
      .slice(number - 1, number + 1)
      .some(({ name, args }) => name === "unlink" && /\/\.new-/.test(String(args[0])));
  const tries = someOf(made).flatMap((call) =>
    Array.from({ length: errorsACall }, (_, i) => ({
      ...call,
      code: ERRORS[(call.number + i) % ERRORS.length] ?? "EIO",
    })),
  );
  for (const { number, name, code } of tries) {
    const store = copyOf(scenario);
    const error = await failing(product, scenario, store, number, code);
    const what = `${code} at call ${number}, ${name}`;
    const hasOtherWay = name === "link" || (code === "EXDEV" && name === "rename");
    if (error === null && (hasOtherWay || isDiscard(number))) {
      // A file without a second name is copied. A folder that cannot be put aside is deleted where it is.
      const files = Object.entries(await contentOf(store)).filter(([file]) => !/\.new-/.test(file));
      expect(Object.fromEntries(files), what).toEqual(scenario.whole);
    } else {
      expect(error, what).toMatchObject({ name: "StoreWriteError" });
      expect(error?.message, what).toMatch(`: ${code}, `);
      expect(error?.message, what).toContain(store);
      const stands = `snapshot ${scenario.after} is current, but `;
      expect(error?.message.startsWith(stands), what).toBe(number > commit);
      const expected = number > commit ? scenario.after : scenario.before;
      expect(await readWhole(product, store), what).toBe(expected);
      if (number <= commit) await expectNothingLeft(scenario, store, what);
    }
    await expectRepair(product, scenario, store);
    rmSync(store, { recursive: true });
  }
  return tries.length;
}

/** A publication of which one call fails. @returns its error; null where it succeeds all the same */
export async function failing(
  product: Product,
  { publish }: Pick<Scenario, "publish">,
  store: string,
  number: number,
  code: string,
): Promise<Error | null> {
  return withHook(
    product,
    (call, real) => {
      if (call.number !== number) return real();
      const error = Object.assign(new Error(`${code}: planted`), { code });
      if (call.name === "fsync") return Promise.reject(error);
      throw error;
    },
    () => publish(store),
  ).then(
    () => null,
    (error: Error) => error,
  );
}

/** The store has the files that it had before; once the notes name the new snapshot, that may be there too. */
async function expectNothingLeft(scenario: Scenario, store: string, what: string): Promise<void> {
  const before = await contentOf(scenario.store);
  const content = await contentOf(store);
  const isNoted = `${scenario.after}/manifest.json` in content;
  const expected = isNoted ? { ...scenario.whole, ...before } : before;
  // The manifest is signed after it has its name.
  const signature = `${scenario.after}/manifest.json.minisig`;
  if (!(signature in content)) delete expected[signature];
  expect(content, what).toEqual(expected);
}

/** What a death leaves, at each of these calls and before any later one. */
async function dies(
  product: Product,
  { publish }: Scenario,
  store: string,
  number: number,
): Promise<void> {
  const death = new Error("dead");
  const building = withHook(
    product,
    (call, real) => {
      if (call.number < number) return real();
      if (call.number === number && MAKES_FILES.includes(call.name)) real();
      throw death;
    },
    () => publish(store),
  );
  await expect(building).rejects.toThrow();
}

const MAKES_FILES: readonly CallName[] = ["create", "mkdir", "rename"];

/**
 * A build dies at each of its calls before the commit, and the next one publishes another directory: of
 * the first one nothing is left.
 * @returns how many calls were tried
 */
export async function buildAnotherAfterEachDeath(
  product: Product,
  scenario: Scenario,
): Promise<number> {
  const made = await callsOf(product, scenario);
  const commit = commitOf(made);
  const clean = copyOf(scenario);
  const directory = aDirectory(20, "Other");
  const other = await writePublished(join(scenario.folder, "other"), directory);
  await product.build(other, { store: clean, jobs: 1, keep: KEEP });
  // Those about the notes and the folder are always tried.
  const noted = renameTo(made, ".notes");
  const tried = new Set(someOf(made.slice(0, commit - 1)).map(({ number }) => number));
  for (let number = noted - 1; number < commit; number += 1) tried.add(number);
  for (const number of tried) {
    const store = copyOf(scenario);
    await dies(product, scenario, store, number);
    ageSnapshots(store);
    await product.build(other, { store, jobs: 1, keep: KEEP });
    await expectLike(product, store, clean, `died at call ${number}`);
    rmSync(store, { recursive: true });
  }
  return tried.size;
}

/**
 * Each call of a store's first build fails: of the store nothing is left, not even its folder.
 * @returns how many calls were tried
 */
export async function failEachCallOfAFirstBuild(
  product: Product,
  scenario: Scenario,
): Promise<number> {
  const store = join(scenario.folder, "first", "store");
  const made: { number: number; isCommit: boolean }[] = [];
  await withHook(
    product,
    ({ number, name, args }, real) => {
      const isCommit = name === "rename" && String(args[1]).endsWith("/current.json");
      made.push({ number, isCommit });
      return real();
    },
    () => scenario.publish(store),
  );
  const commit = made.findIndex(({ isCommit }) => isCommit);
  expect(commit).toBeGreaterThan(0);
  const tried = someOf(made.slice(0, commit + 1));
  for (const { number } of tried) {
    rmSync(join(store, ".."), { recursive: true, force: true });
    const error = await failing(product, scenario, store, number, ERRORS[number % ERRORS.length]!);
    expect(error, `call ${number}`).toMatchObject({ name: "StoreWriteError" });
    expect(existsSync(store), `call ${number}`).toBe(false);
  }
  return tried.length;
}
