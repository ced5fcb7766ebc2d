import { execFileSync } from "node:child_process";
import { existsSync, statfsSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** Thousands of stores are written and synced: in memory, where there is room for them. */
const MEMORY = "/dev/shm";
const ROOM = 8 * 2 ** 30;

/** Vitest runs this once for each of its projects, in one process. */
const DONE = Symbol.for("crawldex: compiled");
const shared = globalThis as { [DONE]?: boolean };

export default function prepare(): void {
  if (shared[DONE]) return;
  shared[DONE] = true;
  if (existsSync(MEMORY)) {
    const { bavail, bsize } = statfsSync(MEMORY);
    if (bavail * bsize > ROOM) process.env.TMPDIR = MEMORY;
  }
  compileCommand();
}

/**
 * Tests that spawn the real command, or ask for a page, need both compiled from the sources as they are; their types
 * are checked by `npm run types`.
 */
function compileCommand(): void {
  const root = fileURLToPath(new URL("..", import.meta.url));
  for (const config of ["tsconfig.build.json", "tsconfig.browser.json"]) {
    execFileSync(process.execPath, ["node_modules/typescript/bin/tsc", "-p", config, "--noCheck"], {
      cwd: root,
      stdio: "inherit",
    });
  }
}
