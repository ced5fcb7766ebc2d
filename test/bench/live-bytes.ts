/*
 * Counts the bytes of all array buffers that are alive in a Node process. It runs in the same bundle as the fetch
 * handler, in a process that has `--expose-gc --no-concurrent-array-buffer-sweeping`: a buffer that a collection
 * frees is no longer counted once `gc()` returns.
 */

/** Bytes of array buffers, without those that Node has before there is a handler. */
export interface Memory {
  /** After the first search. */
  readonly afterFirst: number;
  /** After all requests. */
  readonly afterAll: number;
  /** The most at any time. */
  readonly peak: number;
}

export interface MemoryInput {
  /** The address of a store. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Path and query of the first search, then of the other requests. */
  readonly targets: readonly string[];
}

type Handler = (request: Request) => Promise<Response>;

/** The peak is exact but for so many bytes. */
const PRECISION = 32_768;
const REQUESTS_AT_ONCE = 8;

const CONSTRUCTORS = [
  "ArrayBuffer",
  "Int8Array",
  "Uint8Array",
  "Uint8ClampedArray",
  "Int16Array",
  "Uint16Array",
  "Int32Array",
  "Uint32Array",
  "Float32Array",
  "Float64Array",
  "BigInt64Array",
  "BigUint64Array",
];

const live = () => process.memoryUsage().arrayBuffers;
let highest = 0;

function collect(): void {
  if (globalThis.gc === undefined) throw new Error("node needs --expose-gc");
  globalThis.gc();
}

/**
 * Runs after each allocation. What is allocated and not yet freed is never less than what is alive, so only figures
 * above the highest one need a collection.
 */
function note(): void {
  if (live() <= highest + PRECISION) return;
  collect();
  highest = Math.max(highest, live());
}

/** Notes each array that a script makes, also those of `slice` and `map`, and each that the platform gives to it. */
function watchAllocations(): void {
  for (const name of CONSTRUCTORS) {
    const native = Reflect.get(globalThis, name);
    const noting = new Proxy(native, {
      construct(target, args, newTarget) {
        const made = Reflect.construct(target, args, newTarget);
        note();
        return made;
      },
    });
    native.prototype.constructor = noting;
    Reflect.set(globalThis, name, noting);
  }
  notingAfter(Response.prototype, "arrayBuffer");
  notingAfter(ReadableStreamDefaultReader.prototype, "read");
  notingAfter(TextEncoder.prototype, "encode");
}

function notingAfter(owner: object, name: string): void {
  const native = Reflect.get(owner, name);
  Reflect.set(owner, name, function (this: unknown, ...args: unknown[]) {
    const made = Reflect.apply(native, this, args);
    if (made instanceof Promise) return made.finally(note);
    note();
    return made;
  });
}

/** Measures a handler, and prints the `Memory` as JSON. Its input is JSON in the first argument. */
export async function measureMemory(start: (url: string) => Promise<Handler>): Promise<void> {
  const { url, headers, targets }: MemoryInput = JSON.parse(process.argv[2] ?? "");
  collect();
  const base = live();
  watchAllocations();
  const handler = await start(url);
  const ask = async (target: string) => {
    const response = await handler(new Request(`https://any.example${target}`, { headers }));
    await response.arrayBuffer();
    if (response.status !== 200) throw new Error(`${target} got ${response.status}`);
  };
  const [first = "", ...others] = targets;
  await ask(first);
  const afterFirst = await settled();
  for (let next = 0; next < others.length; next += REQUESTS_AT_ONCE) {
    await Promise.all(others.slice(next, next + REQUESTS_AT_ONCE).map(ask));
  }
  const afterAll = await settled();
  const memory: Memory = {
    afterFirst: afterFirst - base,
    afterAll: afterAll - base,
    peak: highest - base,
  };
  process.stdout.write(JSON.stringify(memory));
}

/** What is alive after a collection, when the work of the last answer is over. */
async function settled(): Promise<number> {
  await new Promise((resolve) => setTimeout(resolve, 100));
  collect();
  return live();
}
