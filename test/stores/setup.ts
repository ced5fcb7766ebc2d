import type { TestProject } from "vitest/node";
import type { Access, Store } from "./servers/access.js";
import { npmModules } from "./servers/installed.js";
import { Unavailable } from "./servers/processes.js";
import { startRgw } from "./servers/rgw.js";

/** A server that all tests share, or why there is none. */
export type Shared = Access | { readonly missing: string };

declare module "vitest" {
  export interface ProvidedContext {
    rgw: Shared;
    workerd: { readonly missing: string | null };
  }
}

/** The servers that STORES names are started, all if it is not set: STORES="workerd" saves the wait for Ceph RGW. */
const wanted = process.env.STORES?.split(/[\s,]+/);

/** Starts Ceph RGW once for the whole suite, and installs what workers need. */
export default async function startServers(project: TestProject): Promise<() => Promise<void>> {
  const started: Store[] = [];
  const stop = async () => {
    await Promise.all(started.map((one) => one.stop()));
  };
  const start = async () => {
    const missing = await reasonWithout("rgw", async () => {
      const store = await startRgw();
      started.push(store);
      const { endpoint, accessKey, secretKey } = store;
      project.provide("rgw", { endpoint, accessKey, secretKey });
    });
    if (missing !== null) project.provide("rgw", { missing });
  };
  const install = async () => {
    project.provide("workerd", { missing: await reasonWithout("workerd", npmModules) });
  };
  const outcomes = await Promise.allSettled([start(), install()]);
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
