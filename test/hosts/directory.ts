import { join } from "node:path";
import { exportSite } from "../../src/export/export.js";
import type { HostName } from "../../src/export/layout.js";
import { serve } from "../../src/server/serve.js";
import type { RunningServer } from "../../src/server/server.js";
import { type Browser, chromiumPath, launch } from "../browser/browsers.js";
import { aSite, type Site, variedListings } from "../export/sites.js";
import { theDirectory } from "../fixtures.js";
import { NO_PICTURES } from "../pictures.js";

/** A store, what answers from it, and what to call at the end. */
export interface Directory {
  readonly site: Site;
  readonly runtime: RunningServer;
  /** Calls `cleanUp` before what was made earlier is removed. */
  finally(cleanUp: () => Promise<void>): void;
  close(): Promise<void>;
}

/** @param base the path below which the directory says that it is published, with a slash at both ends */
export async function aDirectory(base = "/"): Promise<Directory> {
  const cleanUps: (() => Promise<void>)[] = [];
  const last = (cleanUp: () => Promise<void>) => cleanUps.unshift(cleanUp);
  const siteUrl = `https://x.example${base.replace(/\/$/, "")}`;
  const directory = { ...theDirectory(), siteUrl };
  const site = await aSite({ ...variedListings(), directory }, { keep: 1 }, last);
  const runtime = await serve(site.store, {
    port: 0,
    ...NO_PICTURES,
    host: "127.0.0.1",
    log: () => {},
  });
  last(() => runtime.close());
  const close = async () => {
    for (const cleanUp of cleanUps) await cleanUp();
  };
  return { site, runtime, finally: last, close };
}

/** Exports a store for a host into a folder, with the rules of the host. @returns the folder of the tree */
export async function treeFor(
  host: HostName,
  store: string,
  folder: string,
  packed = false,
): Promise<string> {
  const root = join(folder, `tree-${host}${packed ? "-packed" : ""}`);
  await exportSite(root, { store, for: host, packed });
  return root;
}

/** Starts the browser; says loudly if there is none. */
export async function startBrowser(): Promise<Browser | null> {
  const path = chromiumPath();
  if (path !== null) return launch(path);
  process.stderr.write("SKIPPED, all tests with a browser: there is none\n");
  return null;
}
