import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";

/** Vitest runs this once for each of its projects, in one process. */
const DONE = Symbol.for("crawldex: compiled");
const shared = globalThis as { [DONE]?: boolean };

/**
 * Tests that spawn the real command, or ask for a page, need both compiled from the sources as they are; their types
 * are checked by `npm run types`.
 */
export default function compileCommand(): void {
  if (shared[DONE]) return;
  shared[DONE] = true;
  const root = fileURLToPath(new URL("..", import.meta.url));
  for (const config of ["tsconfig.build.json", "tsconfig.browser.json"]) {
    execFileSync(process.execPath, ["node_modules/typescript/bin/tsc", "-p", config, "--noCheck"], {
      cwd: root,
      stdio: "inherit",
    });
  }
}
