import { readdir, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { npmModules } from "./installed.js";
import { boundCommand, LOOPBACK } from "./processes.js";

const COMPATIBILITY_DATE = "2026-04-20";
const PUTS_AT_ONCE = 16;

/** A worker that runs in workerd, with what it is bound to. */
export interface Worker {
  /** The address at which it answers as on Cloudflare, which chooses the coding of bodies, without a closing slash. */
  readonly url: string;
  /** The address at which it gets each request, and gives each answer, unchanged. */
  readonly direct: string;
  /** The R2 bucket that the worker sees under a name. */
  bucket(name: string): Promise<Bucket>;
  stop(): Promise<void>;
}

/** As much of an R2 bucket as tests need from outside of the worker. */
export interface Bucket {
  put(key: string, value: Uint8Array): Promise<unknown>;
  delete(key: string): Promise<void>;
}

export interface WorkerOptions {
  /** The text of the worker's one module. */
  readonly script: string;
  /** Names of R2 buckets that it is bound to; they are empty. */
  readonly r2?: readonly string[];
  /** A folder whose files it can fetch from a binding. */
  readonly assets?: {
    readonly folder: string;
    readonly binding: string;
    readonly htmlHandling: string;
  };
  /** Which behaviour of workerd it gets; the installed one does not know every date. */
  readonly compatibilityDate?: string;
  /** Texts that it is bound to. */
  readonly vars?: Readonly<Record<string, string>>;
}

/** As much as is used of `miniflare`, which is installed on demand. */
interface Server {
  readonly ready: Promise<URL>;
  unsafeGetDirectURL(): Promise<URL>;
  getR2Bucket(name: string): Promise<Bucket>;
  dispose(): Promise<void>;
}

interface Module {
  readonly Miniflare: new (options: Readonly<Record<string, unknown>>) => Server;
}

/**
 * Starts a worker in workerd, on a free port of the loopback.
 * @throws Unavailable if this machine cannot have it
 */
export async function startMiniflare(options: WorkerOptions): Promise<Worker> {
  const { script, r2 = [], assets, vars = {} } = options;
  const { compatibilityDate = COMPATIBILITY_DATE } = options;
  const load = createRequire(join(await npmModules(), "any.js"));
  process.env.MINIFLARE_WORKERD_PATH = await boundCommand(load("workerd").default);
  const { Miniflare } = load("miniflare") as Module;
  const worker = new Miniflare({
    modules: true,
    script,
    compatibilityDate,
    host: LOOPBACK,
    port: 0,
    unsafeDirectSockets: [{ host: LOOPBACK, port: 0 }],
    // Facts about the client's place, which it would download.
    cf: false,
    bindings: vars,
    r2Buckets: r2,
    ...(assets !== undefined && {
      assets: {
        directory: assets.folder,
        binding: assets.binding,
        routerConfig: { has_user_worker: true, invoke_user_worker_ahead_of_assets: true },
        assetConfig: { html_handling: assets.htmlHandling },
      },
    }),
  });
  const { origin } = await worker.ready;
  return {
    url: origin,
    direct: (await worker.unsafeGetDirectURL()).origin,
    bucket: (name) => worker.getR2Bucket(name),
    stop: () => worker.dispose(),
  };
}

/** Copies all files below a folder into a bucket, under their paths. @returns how many there are */
export async function fill(bucket: Bucket, folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((one) => one.isFile()).map((one) => join(one.parentPath, one.name));
  const open = [...paths];
  const copy = async () => {
    for (let path = open.pop(); path !== undefined; path = open.pop()) {
      const key = path.slice(folder.length + 1);
      await bucket.put(key, new Uint8Array(await readFile(path)));
    }
  };
  await Promise.all(Array.from({ length: PUTS_AT_ONCE }, copy));
  return paths.length;
}
