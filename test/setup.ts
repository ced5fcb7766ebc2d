import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);

/** Thousands of stores are written and synced: in memory, where there is room for them. */
const MEMORY = "/dev/shm";
const ROOM = 8 * 2 ** 30;

/** Vitest runs this once for each of its projects, in one process. */
const DONE = Symbol.for("crawldex: compiled");
const shared = globalThis as { [DONE]?: boolean };

export default async function prepare(): Promise<(() => void) | undefined> {
  if (shared[DONE]) return undefined;
  shared[DONE] = true;
  if (existsSync(MEMORY)) {
    const { bavail, bsize } = statfsSync(MEMORY);
    if (bavail * bsize > ROOM) process.env.TMPDIR = MEMORY;
  }
  const folder = mkdtempSync(join(tmpdir(), "crawldex-tests-"));
  process.env.TMPDIR = folder;
  await compileCommand();
  return () => rmSync(folder, { recursive: true, force: true });
}

/**
 * Compiles the sources, and makes the scripts of pages, as `npm pack` does. Declarations are made for the longer suites
 * alone. Only `npm run types` checks types.
 */
async function compileCommand(): Promise<void> {
  const cwd = fileURLToPath(new URL("..", import.meta.url));
  const node = (...args: string[]) => run(process.execPath, args, { cwd });
  const declarations = ["-p", ".build/tsconfig.declarations.json", "--noCheck"];
  await Promise.all([
    node("node_modules/tsx/dist/cli.mjs", ".build/compile.ts"),
    process.env.TEST_RUN !== "quick" && node("node_modules/typescript/bin/tsc", ...declarations),
  ]);
}
