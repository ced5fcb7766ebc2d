import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";

/** Asks a server from 16 connections that are kept alive, with wrk; it is one of Debian's packages. */
const CONNECTIONS = 16;

/** Lines of the file are a request target, and the tag of an answer that the client has, if it has one. */
const SCRIPT = `
local requests = {}
local at = 0
init = function(args)
  for line in io.lines(args[1]) do
    local path, tag = line:match("^(%S+) ?(.*)$")
    local headers = nil
    if tag ~= "" then headers = { ["If-None-Match"] = tag } end
    requests[#requests + 1] = wrk.format("GET", path, headers)
  end
end
request = function()
  at = at % #requests + 1
  return requests[at]
end
done = function(summary)
  local e = summary.errors
  io.write(string.format('\\nRESULT {"requests":%d,"us":%d,"bad":%d,"broken":%d}\\n',
    summary.requests, summary.duration, e.status, e.connect + e.read + e.write + e.timeout))
end
`;

export interface Load {
  readonly requests: number;
  /** Requests a second. */
  readonly rate: number;
}

export class Wrk {
  readonly #folder: string;
  readonly #script: string;

  /** @param folder for its script and files */
  constructor(folder: string) {
    if (spawnSync("wrk", ["--version"]).error)
      throw new Error("wrk is needed: apt-get install wrk");
    this.#folder = folder;
    this.#script = join(folder, "wrk.lua");
    writeFileSync(this.#script, SCRIPT);
  }

  /** Leaves lines in the folder, as `load` takes them. @returns their file */
  write(name: string, lines: readonly string[]): string {
    const file = join(this.#folder, name);
    writeFileSync(file, lines.join("\n"));
    return file;
  }

  /** @throws Error where a request failed */
  load(url: string, requests: string, seconds: number): Load {
    const { stdout, stderr } = spawnSync(
      "wrk",
      ["-t1", `-c${CONNECTIONS}`, `-d${seconds}s`, "-s", this.#script, url, "--", requests],
      { encoding: "utf8" },
    );
    const line = /^RESULT (.*)$/m.exec(stdout)?.[1];
    if (line === undefined) throw new Error(`wrk has failed: ${stdout}${stderr}`);
    const result = JSON.parse(line) as Record<"requests" | "us" | "bad" | "broken", number>;
    const { requests: count, us, bad, broken } = result;
    if (bad !== 0 || broken !== 0) throw new Error(`${bad} bad answers, ${broken} broken: ${line}`);
    return { requests: count, rate: count / (us / 1e6) };
  }
}
