import { inject, type TestContext } from "vitest";
import { type Store, storeAt } from "./servers/access.js";

/** The suite's Ceph RGW; skips the test loudly where there is none. */
export function shared(context: TestContext): Store {
  const server = inject("rgw");
  if ("missing" in server) return skip(context, "rgw", server.missing);
  return storeAt(server);
}

/** Skips a test loudly where workers cannot run. */
export function needWorkerd(context: TestContext): void {
  const { missing } = inject("workerd");
  if (missing !== null) skip(context, "workerd", missing);
}

function skip(context: TestContext, name: string, reason: string): never {
  process.stderr.write(`SKIPPED, no ${name} (${reason}): ${context.task.name}\n`);
  return context.skip(`no ${name}: ${reason}`);
}
