import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";

/** Tests that spawn the real command need it compiled from the sources as they are. */
export default function compileCommand(): void {
  const root = fileURLToPath(new URL("..", import.meta.url));
  execFileSync(process.execPath, ["node_modules/typescript/bin/tsc", "-p", "tsconfig.build.json"], {
    cwd: root,
    stdio: "inherit",
  });
}
