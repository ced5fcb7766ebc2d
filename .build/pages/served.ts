/** Serves a directory for the scripts that look at its pages, and starts a browser. */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Browser, chromium } from "playwright-core";

export const COMMAND = join(import.meta.dirname, "../../dist/cli/index.js");

/** A directory that is served by the compiled command. */
export interface ServedDirectory {
  /** Without a slash at its end. */
  readonly url: string;
  readonly store: string;
  /** Ends the server and deletes the directory and its store. */
  stop(): Promise<void>;
}

/**
 * Builds and serves a directory.
 * @param write writes the published directory into a folder that does not exist
 * @param change changes it for a second publication; without it there is one
 */
export async function serveDirectory(
  write: (folder: string) => Promise<unknown>,
  change?: (folder: string) => void,
): Promise<ServedDirectory> {
  const cwd = mkdtempSync(join(tmpdir(), "crawldex-pages-"));
  await write(join(cwd, "published"));
  const build = () =>
    execFileSync(process.execPath, [COMMAND, "build", "published", "--quiet"], { cwd });
  build();
  if (change !== undefined) {
    change(join(cwd, "published"));
    build();
  }
  const server = spawn(process.execPath, [COMMAND, "serve", "--port", "0", "--json"], { cwd });
  const [line] = (await once(server.stdout, "data")) as [Buffer];
  const { url } = JSON.parse(line.toString()) as { url: string };
  const stop = async () => {
    server.kill();
    await once(server, "exit");
    rmSync(cwd, { recursive: true });
  };
  return { url, store: join(cwd, "snapshots"), stop };
}

/** Where the browser is. The environment variable CHROMIUM may name another. */
export const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium";

/** Starts Chromium. In a container it has no sandbox of its own; it opens only this project's pages. */
export function launchChromium(): Promise<Browser> {
  return chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox", "--disable-gpu"] });
}
