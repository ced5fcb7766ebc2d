import type { TestProject } from "vitest/node";
import type { Access, Store } from "./servers/access.js";
import { npmModules } from "./servers/installed.js";
import { Unavailable } from "./servers/processes.js";
import { startRgw } from "./servers/rgw.js";
import { startS3rver } from "./servers/s3rver.js";
import { startSwift } from "./servers/swift.js";

/** A server that all tests share, or why there is none. */
export type Shared = Access | { readonly missing: string };

declare module "vitest" {
  export interface ProvidedContext {
    rgw: Shared;
    swift: Shared;
    s3rver: Shared;
    workerd: { readonly missing: string | null };
  }
}

const STARTS = { rgw: startRgw, swift: startSwift, s3rver: startS3rver };
const NAMES = ["rgw", "swift", "s3rver"] as const;

/** The servers that STORES names are started, all if it is not set: STORES="s3rver workerd" saves the wait for others. */
const wanted = process.env.STORES?.split(/[\s,]+/);

/** Starts each server once for the whole suite. */
export default async function startServers(project: TestProject): Promise<() => Promise<void>> {
  const started: Store[] = [];
  const stop = async () => {
    await Promise.all(started.map((one) => one.stop()));
  };
  const start = async (name: (typeof NAMES)[number]) => {
    const missing = await reasonWithout(name, async () => {
      const store = await STARTS[name]();
      started.push(store);
      const { endpoint, accessKey, secretKey } = store;
      project.provide(name, { endpoint, accessKey, secretKey });
    });
    if (missing !== null) project.provide(name, { missing });
  };
  const install = async () => {
    project.provide("workerd", { missing: await reasonWithout("workerd", npmModules) });
  };
  const outcomes = await Promise.allSettled([...NAMES.map(start), install()]);
  const failed = outcomes.find((one) => one.status === "rejected");
  if (failed === undefined) return stop;
  await stop();
  throw failed.reason;
}

/** Runs `use`. @returns why it could not be done on this machine; null if it could. @throws for any other failure */
async function reasonWithout(name: string, use: () => Promise<unknown>): Promise<string | null> {
  if (wanted !== undefined && !wanted.includes(name)) return "STORES does not name it";
  try {
    await use();
    return null;
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    process.stderr.write(`SKIPPED, all tests with ${name}: ${error.message}\n`);
    return error.message;
  }
}
