import { type ChildProcess, spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { Agent, get } from "node:http";
import { COMMAND, ROOT } from "../kit.js";

/** An answer as the fair server sends it. */
export interface ReadAnswer {
  readonly status: number;
  /** Name, value, name, value; without those that node sets by itself. */
  readonly headers: readonly string[];
  readonly body: Buffer;
}

/**
 * Plain node:http that was given its answers: the least that any server of real answers does. It reads a file of lines
 * of JSON, a line for each target; their bodies follow each other in a second file.
 */
const FAIR = `
const { createServer } = require("node:http");
const { readFileSync } = require("node:fs");
const [, lines, bodies] = process.argv;
const bytes = readFileSync(bodies);
const answers = new Map();
let at = 0;
for (const line of readFileSync(lines, "utf8").split("\\n")) {
  const { target, status, headers, length } = JSON.parse(line);
  const body = Buffer.from(bytes.subarray(at, at + length));
  at += length;
  const tag = headers[headers.findIndex((text) => text.toLowerCase() === "etag") + 1];
  const unchanged = headers.filter((_, i) => !/^content-(type|length|encoding)$|^repr-digest$/i.test(headers[i & ~1]));
  answers.set(target, { status, headers, unchanged, tag, body });
}
const server = createServer((req, res) => {
  const answer = answers.get(req.url);
  if (answer === undefined) {
    res.writeHead(404).end();
  } else if (req.headers["if-none-match"] === answer.tag) {
    res.writeHead(304, answer.unchanged).end();
  } else {
    res.writeHead(answer.status, answer.headers).end(answer.body);
  }
});
server.listen(0, "127.0.0.1", () => console.log("http://127.0.0.1:" + server.address().port));
process.once("SIGTERM", () => process.exit());
`;

/** Of the clock that /proc counts the time of a whole process by. */
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

  /** @param files the answers' lines and bodies */
  static fair(files: readonly [lines: string, bodies: string]): Promise<Server> {
    return Server.#start(["-e", FAIR, ...files]);
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

  /** Seconds of processors' time that the process has taken, to a hundredth, with threads that have ended. */
  cpuSeconds(): number {
    const stat = readFileSync(`/proc/${this.#child.pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return (Number(fields[11]) + Number(fields[12])) / TICKS_A_SECOND;
  }

  /** Microseconds of processors' time that the process's present threads have taken, by the scheduler's exact clock. */
  cpuUs(): number {
    const tasks = `/proc/${this.#child.pid}/task`;
    const nanoseconds = readdirSync(tasks).map((task) =>
      Number(readFileSync(`${tasks}/${task}/schedstat`, "utf8").split(" ")[0]),
    );
    return nanoseconds.reduce((sum, one) => sum + one, 0) / 1_000;
  }

  /** Megabytes of memory that the process holds now. */
  residentMb(): number {
    return this.#memoryMb("VmRSS");
  }

  /** The most that it has held. */
  peakMb(): number {
    return this.#memoryMb("VmHWM");
  }

  #memoryMb(name: string): number {
    const status = readFileSync(`/proc/${this.#child.pid}/status`, "utf8");
    return Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) / 1024;
  }

  async stop(): Promise<void> {
    const child = this.#child;
    const ended = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGTERM");
    await ended;
  }
}

const NODES_OWN = new Set(["date", "connection", "keep-alive"]);
const agent = new Agent({ keepAlive: true, maxSockets: 1 });

/** Reads an answer once. */
export function read(url: string, headers: Record<string, string> = {}): Promise<ReadAnswer> {
  return new Promise((resolve, reject) => {
    get(url, { agent, headers }, (res) => {
      const chunks: Buffer[] = [];
      res.on("data", (chunk: Buffer) => chunks.push(chunk));
      res.on("end", () => {
        const raw = res.rawHeaders;
        const kept = raw.flatMap((name, at) =>
          at % 2 === 0 && !NODES_OWN.has(name.toLowerCase()) ? [name, raw[at + 1] ?? ""] : [],
        );
        resolve({ status: res.statusCode ?? 0, headers: kept, body: Buffer.concat(chunks) });
      });
    }).once("error", reject);
  });
}
