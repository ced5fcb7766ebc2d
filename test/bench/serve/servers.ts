import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { get } from "node:http";
import { COMMAND, ROOT } from "../kit.js";

/** What a server can do that sends the same answer to every request. */
interface BareInput {
  readonly status: number;
  /** Name, value, name, value. */
  readonly headers: readonly string[];
  /** Bytes of the body. */
  readonly bytes: number;
}

const BARE = `
const { createServer } = require("node:http");
const { status, headers, bytes } = JSON.parse(process.argv[1]);
const body = Buffer.alloc(bytes, "x");
const server = createServer((_, res) => res.writeHead(status, headers).end(body));
server.listen(0, "127.0.0.1", () => console.log("http://127.0.0.1:" + server.address().port));
process.once("SIGTERM", () => process.exit());
`;

/** Of the clock that /proc counts processors' time by. */
const TICKS_A_SECOND = 100;

/** A server in a process of its own. */
export class Server {
  readonly url: string;
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess, url: string) {
    this.#child = child;
    this.url = url;
  }

  /** @param command the program to measure. Default: that of this tree */
  static ours(
    store: string,
    options: readonly string[] = [],
    command: string = COMMAND,
  ): Promise<Server> {
    return Server.#start([command, "serve", store, "--port", "0", ...options]);
  }

  static bare(input: BareInput): Promise<Server> {
    return Server.#start(["-e", BARE, JSON.stringify(input)]);
  }

  static #start(args: readonly string[]): Promise<Server> {
    const child = spawn(process.execPath, args, {
      cwd: ROOT,
      stdio: ["ignore", "pipe", "inherit"],
    });
    return new Promise((resolve, reject) => {
      let said = "";
      child.stdout.on("data", (chunk: Buffer) => {
        said += chunk.toString();
        const url = /http:\/\/[\w.]+:\d+/.exec(said)?.[0];
        if (url !== undefined) resolve(new Server(child, url));
      });
      child.once("exit", (code) => reject(new Error(`a server ended with ${code}`)));
    });
  }

  /** Seconds of processors' time that the process has taken. */
  cpuSeconds(): number {
    const stat = readFileSync(`/proc/${this.#child.pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return (Number(fields[11]) + Number(fields[12])) / TICKS_A_SECOND;
  }

  /** Megabytes of memory that the process holds now. */
  residentMb(): number {
    const status = readFileSync(`/proc/${this.#child.pid}/status`, "utf8");
    return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
  }

  async stop(): Promise<void> {
    const child = this.#child;
    const ended = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGTERM");
    await ended;
  }
}

interface Read {
  readonly status: number;
  /** Name, value, name, value; without those that node sets by itself. */
  readonly headers: readonly string[];
  readonly bytes: number;
}

const NODES_OWN = new Set(["date", "connection", "keep-alive"]);

/** Reads an answer once. */
export function read(url: string): Promise<Read> {
  return new Promise((resolve, reject) => {
    get(url, (res) => {
      let bytes = 0;
      res.on("data", (chunk: Buffer) => {
        bytes += chunk.length;
      });
      res.on("end", () => {
        const raw = res.rawHeaders;
        const kept = raw.flatMap((name, at) =>
          at % 2 === 0 && !NODES_OWN.has(name.toLowerCase()) ? [name, raw[at + 1] ?? ""] : [],
        );
        resolve({ status: res.statusCode ?? 0, headers: kept, bytes });
      });
    }).once("error", reject);
  });
}
