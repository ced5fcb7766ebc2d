import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, relative } from "node:path";
import { promisify } from "node:util";
import { onTestFinished } from "vitest";
import { PAGES } from "../docs/pages.js";
import { ROOT } from "../house/sources.js";

const run = promisify(execFile);

/** Commands that would change the real machine. `sudo` moves absolute paths below the machine's root. */
const STUBS = {
  sudo: 'for word; do case $word in /*) word=$ROOT$word;; esac; set -- "$@" "$word"; shift; done; exec "$@"',
  systemctl: 'echo "systemctl $*"',
  chown: 'echo "chown $*"',
};

/** A folder with the parts of a machine that an installation changes. */
export class Machine {
  readonly root = mkdtempSync(join(tmpdir(), "crawldex-install-"));

  constructor() {
    for (const folder of ["bin", "usr", "home"]) mkdirSync(join(this.root, folder));
    for (const [name, script] of Object.entries(STUBS)) this.stub(name, script);
  }

  /** Puts a shell script in a command's place. */
  stub(name: string, script: string): void {
    const file = join(this.root, "bin", name);
    writeFileSync(file, `#!/bin/sh\n${script}\n`);
    chmodSync(file, 0o755);
  }

  /** Makes a folder of the machine. @returns its path */
  folder(path: string): string {
    const folder = join(this.root, path);
    mkdirSync(folder, { recursive: true });
    return folder;
  }

  /** Runs a script as a shell does that ends at the first failure. @returns what it prints */
  async run(script: string, cwd: string, env: NodeJS.ProcessEnv = {}): Promise<string> {
    const options = { cwd, env: this.#env(env), maxBuffer: 2 ** 26 };
    const running = run("bash", ["-eo", "pipefail", "-c", script], options);
    const { stdout } = await running.catch(({ message, stdout }) => {
      throw new Error(`${message}\n${stdout}`);
    });
    return stdout;
  }

  /** Starts a server, which the test's end kills. @returns its address, once it has printed one */
  async serve(command: string, cwd: string, env: NodeJS.ProcessEnv = {}): Promise<string> {
    const server = spawn("bash", ["-c", `exec ${command}`], {
      cwd,
      env: this.#env({ ...env, HOST: "127.0.0.1", PORT: "0" }),
    });
    onTestFinished(() => ended(server));
    let printed = "";
    for (const stream of [server.stdout, server.stderr]) {
      stream.setEncoding("utf8").on("data", (text) => {
        printed += text;
      });
    }
    for (;;) {
      const [address] = /http:\/\/127\.0\.0\.1:\d+/.exec(printed) ?? [];
      if (address !== undefined) return address;
      if (server.exitCode !== null) throw new Error(`"${command}" ended: ${printed}`);
      const events = [once(server.stdout, "data"), once(server.stderr, "data")];
      await Promise.race([...events, once(server, "exit")]);
    }
  }

  #env(more: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
    return {
      ...process.env,
      ROOT: this.root,
      PATH: `${this.root}/bin:${this.root}/usr/bin:${process.env.PATH}`,
      npm_config_prefix: join(this.root, "usr"),
      npm_config_prefer_offline: "true",
      ...more,
    };
  }
}

async function ended(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const exit = once(server, "exit");
  server.kill();
  await exit;
}

/** The blocks that tests have asked for. */
export const USED = new Set<string>();

/** The one block of shell commands of a page that has a text. */
export function blockWith(path: string, text: string): string {
  const blocks = PAGES.find((page) => page.path === path)?.blocks ?? [];
  const found = blocks.filter((block) => block.language === "sh" && block.text.includes(text));
  const [block] = found;
  if (block === undefined || found.length > 1) {
    throw new Error(`${path} has ${found.length} blocks with "${text}"`);
  }
  USED.add(block.text);
  return block.text;
}

/**
 * Whether Docker would send a file of the project's folder to the build of an image: `.dockerignore` excludes all names
 * but some, of which one may begin with `*`.
 */
export function isInContext(path: string): boolean {
  const lines = readFileSync(join(ROOT, ".dockerignore"), "utf8").trim().split("\n");
  const [all, ...admitted] = lines.filter((line) => !line.startsWith("#"));
  if (all !== "*" || !admitted.every((line) => /^!\*?[\w.-]+$/.test(line))) {
    throw new Error("this test does not know a form that .dockerignore has");
  }
  const [name = ""] = path.split("/");
  return admitted
    .map((line) => line.slice(1))
    .some((one) => (one.startsWith("*") ? name.endsWith(one.slice(1)) : name === one));
}

/** Copies the files of the project that the build of an image gets. */
export function copyProject(to: string): void {
  const filter = (path: string) => path === ROOT || isInContext(relative(ROOT, path));
  cpSync(ROOT, to, { recursive: true, filter });
}

/** What the README's commands make in a clone. */
interface Installed {
  readonly machine: Machine;
  readonly clone: string;
  /** The path of the packed tarball. */
  readonly tarball: string;
}

let installing: Promise<Installed> | undefined;

/** Packs and installs a clone as the README says, once for all tests. */
export function installedClone(): Promise<Installed> {
  installing ??= (async () => {
    const machine = new Machine();
    const clone = join(machine.root, "home/crawldex");
    copyProject(clone);
    const commands = blockWith("README.md", "npm pack");
    await machine.run(commands, clone);
    const [, name = ""] = /npm install --global \.\/(\S+)/.exec(commands) ?? [];
    return { machine, clone, tarball: join(clone, name) };
  })();
  return installing;
}

/** A new machine with the tarball and a published directory in a folder, in which commands run. */
export async function prepared(): Promise<{ machine: Machine; cwd: string; tarball: string }> {
  const {
    machine: { root },
    tarball,
  } = await installedClone();
  const machine = new Machine();
  const cwd = machine.folder("home/project");
  copyFileSync(tarball, join(cwd, basename(tarball)));
  await machine.run(`${root}/usr/bin/crawldex init published`, cwd);
  return { machine, cwd, tarball };
}
