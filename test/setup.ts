import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";

/**
 * Tests that spawn the real command, or ask for a page, need both compiled from the sources as they are; their types
 * are checked by `npm run types`.
 */
export default function compileCommand(): void {
  const root = fileURLToPath(new URL("..", import.meta.url));
  for (const config of ["tsconfig.build.json", "tsconfig.browser.json"]) {
    execFileSync(process.execPath, ["node_modules/typescript/bin/tsc", "-p", config, "--noCheck"], {
      cwd: root,
      stdio: "inherit",
    });
  }
}
