import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { BuildOptions } from "../../src/publish/options.js";

/* What extras add to the tests that publish in each way: the files `ways.ts` of their tests. */

/** A way to publish a directory. */
export interface Way {
  publish(published: string, options: BuildOptions & { readonly store: string }): Promise<unknown>;
  /** The other stores that it makes, each with one snapshot. */
  stores(store: string): readonly string[];
}

const files = readdirSync(import.meta.dirname)
  .map((name) => join(import.meta.dirname, name, "ways.ts"))
  .filter((file) => existsSync(file));

/** The ways of all extras, by their names. */
export const WAYS: Readonly<Record<string, Way>> = Object.assign(
  {},
  ...(await Promise.all(files.map(async (file) => (await import(file)).WAYS))),
);
