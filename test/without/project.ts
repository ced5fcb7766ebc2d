import { execFile, execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, "../..");

/** The output of a command that failed, for the message of a test; "" if it succeeded. */
export type Failure = string;

/** A copy of the project in a folder of its own, to delete parts of. */
export class ProjectCopy {
  readonly folder = mkdtempSync(join(tmpdir(), "crawldex-without-"));
  /** Where the deleted extras are. */
  readonly #deleted = mkdtempSync(join(tmpdir(), "crawldex-deleted-"));

  constructor() {
    const names = execFileSync(
      "git",
      ["ls-files", "-z", "--cached", "--others", "--exclude-standard"],
      {
        cwd: ROOT,
        encoding: "utf8",
      },
    );
    const top = new Set(names.split("\0").flatMap((name) => name.split("/")[0] || []));
    for (const name of top) cpSync(join(ROOT, name), join(this.folder, name), { recursive: true });
    symlinkSync(join(ROOT, "node_modules"), join(this.folder, "node_modules"));
  }

  /** Deletes an extra: its folder, its lines in the list, its tests. */
  delete(extra: string): void {
    const folder = (path: string) => join(this.folder, path, extra);
    cpSync(folder("src/extras"), join(this.#deleted, extra), { recursive: true });
    rmSync(folder("src/extras"), { recursive: true });
    rmSync(folder("test/extras"), { recursive: true, force: true });
    const list = join(this.folder, "src/extras/index.ts");
    const text = readFileSync(list, "utf8");
    const [imported = "", name = ""] =
      new RegExp(`^import \\{ (\\w+) \\} from "\\./${extra}/index\\.js";\\n`, "m").exec(text) ?? [];
    if (imported === "") throw new TypeError(`src/extras/index.ts imports no extra ${extra}`);
    const rest = text.replace(imported, "");
    writeFileSync(
      list,
      rest.replace(new RegExp(`(?<=[\\[, ])${name}(?:, |(?=\\]))|^ *${name},\\n`, "m"), ""),
    );
  }

  /** Runs a script of package.json. */
  async script(...args: readonly string[]): Promise<Failure> {
    return this.#run("npm", ["run", "--silent", ...args]);
  }

  /** Runs the command of the copy. */
  async command(...args: readonly string[]): Promise<Failure> {
    return this.#run(process.execPath, [join(this.folder, "dist/cli/index.js"), ...args]);
  }

  async #run(program: string, args: readonly string[]): Promise<Failure> {
    try {
      await run(program, [...args], {
        cwd: this.folder,
        env: { ...process.env, DELETED_EXTRAS: this.#deleted },
        maxBuffer: 64 * 2 ** 20,
      });
      return "";
    } catch (error) {
      const {
        stdout = "",
        stderr = "",
        message,
      } = error as Error & { stdout?: string; stderr?: string };
      return `${message}\n${stdout}\n${stderr}`.slice(-4_000);
    }
  }

  remove(): void {
    for (const folder of [this.folder, this.#deleted]) {
      rmSync(folder, { recursive: true, force: true });
    }
  }
}
