import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { npmModules } from "../../stores/servers/installed.js";
import { LOOPBACK, Unavailable } from "../../stores/servers/processes.js";
import type { Place } from "../hosts.js";
import { type HostServer, startServer } from "./started.js";

/** Python's server, which has no settings. */
export async function startPython({ folder }: Place): Promise<HostServer> {
  if (spawnSync("python3", ["--version"]).status !== 0)
    throw new Unavailable("there is no python3");
  const words = ["python3", "-m", "http.server", "--bind", LOOPBACK, "--directory", folder];
  return startServer(async (port) => ({ words: [...words, String(port)] }));
}

/** sirv's command, with its defaults. */
export async function startSirv({ folder }: Place): Promise<HostServer> {
  const command = join(await npmModules(), "sirv-cli/bin.js");
  return startServer(async (port) => ({
    words: [
      process.execPath,
      command,
      folder,
      "--host",
      LOOPBACK,
      "--port",
      String(port),
      "--quiet",
    ],
  }));
}
