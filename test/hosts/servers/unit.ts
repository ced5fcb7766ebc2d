import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { ROOT } from "../../house/sources.js";
import { send } from "../../server/http.js";
import { type HostServer, startServer } from "./started.js";

export const canUnshare =
  spawnSync("unshare", ["--mount", "true"]).status === 0 &&
  spawnSync("setpriv", ["--version"]).status === 0;

/** The settings of a unit; the last one counts. */
function settingsOf(unit: string): Map<string, string> {
  return new Map(
    [...unit.matchAll(/^(\w+)=(.*)$/gm)].map(([, name = "", value = ""]) => [name, value]),
  );
}

/**
 * Starts a unit's command as systemd would confine it: all of the machine is read-only but for its own state, without
 * capabilities and new privileges. A namespace of mounts that ends with the process stands for systemd.
 */
export async function startUnit(name: string, state: string, origin = "", more: string[] = []) {
  const unit = readFileSync(join(ROOT, "deploy", name), "utf8");
  const settings = settingsOf(unit);
  const isReadOnly = settings.get("ReadOnlyPaths") === "/var/lib/crawldex";
  expect(settings.get("ProtectSystem")).toBe("strict");
  expect(settings.get("StateDirectory")).toBe("crawldex");
  const command = (settings.get("ExecStart") ?? "")
    .replace("/usr/bin/env crawldex", `${process.execPath} ${join(ROOT, "dist/cli/index.js")}`)
    .replace("/var/lib/crawldex", state)
    .replace(/\$\{CRAWLDEX_ORIGIN\}/, origin)
    .split(" ");
  const variables = [...unit.matchAll(/^Environment=(\w+)=(.*)$/gm)].map(
    ([, key = "", value = ""]) => [key, value.replace("/var/lib/crawldex", state)] as const,
  );
  return startServer(async (port, place) => {
    const script = join(place, "confined.sh");
    const mounts = [
      `mount --bind '${state}' '${state}'`,
      ...(isReadOnly ? [`mount -o remount,bind,ro '${state}'`] : []),
      'exec setpriv --no-new-privs --bounding-set=-all --inh-caps=-all -- "$@"',
    ];
    await writeFile(script, `set -e\n${mounts.join("\n")}\n`);
    return {
      words: ["unshare", "--mount", "--", "sh", script, ...command, ...more],
      env: { ...Object.fromEntries(variables), PORT: String(port) },
    };
  });
}

export const readyOf = async (server: HostServer) => {
  const { status, text } = await send(server, "/readyz");
  return { status, ...JSON.parse(text) };
};
