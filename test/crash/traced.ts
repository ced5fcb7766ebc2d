import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { copyStore, KEEP, type Scenario } from "./product.js";
import { type Ran, run } from "./tools.js";

/** Calls of the kernel that a build's store sees. */
const TRACED = "openat,write,pwrite64,fsync,rename,mkdir,unlink,link,rmdir";

/** A call of the kernel about a path of the store. */
export interface KernelCall {
  readonly name: string;
  readonly path: string;
  /** How many calls of this name about this path its thread has made, this one included. */
  readonly ordinal: number;
  /** Whether no other thread makes such a call, so that the ordinal is enough to find it. */
  readonly isAlone: boolean;
  readonly line: string;
}

/** A build under strace, always into the same folder, with names that do not change. */
export class TracedBuild {
  readonly store: string;
  readonly #scenario: Scenario;

  constructor(scenario: Scenario) {
    this.#scenario = scenario;
    this.store = join(scenario.folder, "traced");
  }

  /** Runs the build from the scenario's store on. */
  run(options: readonly string[]): Promise<Ran> {
    const { published, store } = this.#scenario;
    rmSync(this.store, { recursive: true, force: true });
    copyStore(store, this.store);
    const keep = String(KEEP);
    return run(["build", published, "--out", this.store, "--jobs", "1", "--keep", keep], {
      under: ["strace", "-f", "-qq", ...options],
      // Random numbers are in the unfinished names, by which strace is to know them.
      hook: `
        import crypto from "node:crypto";
        import { syncBuiltinESMExports } from "node:module";
        crypto.randomBytes = (bytes) => Buffer.alloc(bytes, 7);
        syncBuiltinESMExports();
      `,
      // strace counts the calls of each thread by itself.
      env: { UV_THREADPOOL_SIZE: "1" },
    });
  }

  /** Every call about the store, in order. */
  async calls(): Promise<{ readonly ran: Ran; readonly made: KernelCall[] }> {
    const log = join(this.#scenario.folder, "strace.log");
    const ran = await this.run(["-y", "-o", log, "-e", `trace=${TRACED}`]);
    const ordinals = new Map<string, number>();
    const threads = new Map<string, Set<string>>();
    const found: Omit<KernelCall, "isAlone">[] = [];
    for (const line of readFileSync(log, "utf8").split("\n")) {
      const [, thread = "", name = ""] = /^(\d+) +(\w+)\(/.exec(line) ?? [];
      const paths = [...line.matchAll(/"(\/[^"]*)"|\d<(\/[^>]*)>/g)]
        .map(([, quoted, opened]) => quoted ?? opened ?? "")
        .filter((path) => path === this.store || path.startsWith(`${this.store}/`));
      for (const [i, path] of [...new Set(paths)].entries()) {
        const kind = `${name} ${path}`;
        const ordinal = (ordinals.get(`${kind} ${thread}`) ?? 0) + 1;
        ordinals.set(`${kind} ${thread}`, ordinal);
        threads.set(kind, new Set(threads.get(kind)).add(thread));
        if (i === 0) found.push({ name, path, ordinal, line });
      }
    }
    const made = found.map((call) => ({
      ...call,
      isAlone: threads.get(`${call.name} ${call.path}`)?.size === 1,
    }));
    return { ran, made };
  }

  /** Does something to one call. @param what in strace's words: `signal=KILL`, `error=EIO` */
  inject({ name, path, ordinal }: KernelCall, what: string): Promise<Ran> {
    const inject = `inject=${name}:${what}:when=${ordinal}`;
    return this.run(["-o", "/dev/null", "-P", path, "-e", `trace=${name}`, "-e", inject]);
  }
}
