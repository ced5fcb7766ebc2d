import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";

/** Asks a server from 16 connections that are kept alive, with wrk; it is one of Debian's packages. */
const CONNECTIONS = 16;

/** Lines of the targets' file are request targets. */
const SCRIPT = `
local requests = {}
local at = 0
init = function(args)
  for path in io.lines(args[1]) do requests[#requests + 1] = wrk.format("GET", path) end
end
request = function()
  at = at % #requests + 1
  return requests[at]
end
done = function(summary, latency)
  local e = summary.errors
  io.write(string.format('\\nRESULT {"requests":%d,"us":%d,"bytes":%d,"p99":%d,"bad":%d,"broken":%d}\\n',
    summary.requests, summary.duration, summary.bytes, latency:percentile(99),
    e.status, e.connect + e.read + e.write + e.timeout))
end
`;

export interface Load {
  readonly requests: number;
  /** Requests a second. */
  readonly rate: number;
  /** Milliseconds. */
  readonly p99: number;
}

export class Wrk {
  readonly #folder: string;
  readonly #script: string;

  /** @param folder for its script and the targets' files */
  constructor(folder: string) {
    if (spawnSync("wrk", ["--version"]).error)
      throw new Error("wrk is needed: apt-get install wrk");
    this.#folder = folder;
    this.#script = join(folder, "wrk.lua");
    writeFileSync(this.#script, SCRIPT);
  }

  /** Leaves targets for `load`. @returns their file */
  targets(name: string, lines: readonly string[]): string {
    const file = join(this.#folder, `${name}.targets`);
    writeFileSync(file, lines.join("\n"));
    return file;
  }

  /** @throws Error where a request failed */
  load(url: string, targets: string, seconds: number): Load {
    const { stdout, stderr } = spawnSync(
      "wrk",
      ["-t1", `-c${CONNECTIONS}`, `-d${seconds}s`, "-s", this.#script, url, "--", targets],
      { encoding: "utf8" },
    );
    const line = /^RESULT (.*)$/m.exec(stdout)?.[1];
    if (line === undefined) throw new Error(`wrk has failed: ${stdout}${stderr}`);
    const { requests, us, p99, bad, broken } = JSON.parse(line) as Record<string, number> & {
      requests: number;
      us: number;
      p99: number;
    };
    if (bad !== 0 || broken !== 0) throw new Error(`${bad} bad answers, ${broken} broken: ${line}`);
    return { requests, rate: requests / (us / 1e6), p99: p99 / 1_000 };
  }
}
