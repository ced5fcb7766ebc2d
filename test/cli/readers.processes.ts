import { type StdioOptions, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, existsSync, openSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { aPublishedDirectory, temporaryFolder, writePublished } from "../fixtures.js";
import { serveProcess } from "./served.js";
import { COMMAND, crawldex } from "./spawned.js";

/** Runs a command whose output and messages nobody reads any more. */
async function unread(args: readonly string[]): Promise<number | null> {
  const child = spawn(process.execPath, [COMMAND, ...args], { stdio: ["ignore", "pipe", "pipe"] });
  child.stdout.destroy();
  child.stderr.destroy();
  const [code] = (await once(child, "close")) as [number | null];
  return code;
}

it("a reader that stops reading the output ends neither a build nor a server", async () => {
  const folder = await temporaryFolder();
  const published = await writePublished(join(folder, "published"), aPublishedDirectory());
  const store = join(folder, "store");
  expect(await unread(["serve", "--help"])).toBe(0);
  expect(await unread(["build", published, "--out", store])).toBe(0);
  expect(existsSync(join(store, "current.json"))).toBe(true);
  expect(await unread(["validate", join(folder, "nowhere")])).toBe(3);

  const server = serveProcess(store, { args: ["--log", "json"] });
  const { url } = await server.place;
  server.child.stdout?.destroy();
  server.child.stderr?.destroy();
  for (let request = 0; request < 3; request += 1) {
    expect((await fetch(`${url}/api/sites`)).status).toBe(200);
  }
  // Something to say, too.
  expect((await crawldex(["build", published, "--out", store, "--full"])).code).toBe(0);
  server.kill("SIGHUP");
  expect((await fetch(`${url}/api/tags`)).status).toBe(200);
  server.kill("SIGTERM");
  expect((await server.ended).code).toBe(0);
});

/** Runs a command whose output goes to a full disk. */
async function unwritten(args: readonly string[], full: "stdout" | "stderr") {
  const device = openSync("/dev/full", "w");
  const stdio: StdioOptions =
    full === "stdout" ? ["ignore", device, "pipe"] : ["ignore", "pipe", device];
  const child = spawn(process.execPath, [COMMAND, ...args], { stdio });
  closeSync(device);
  let said = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (text: string) => {
      said += text;
    });
  }
  const [code] = (await once(child, "close")) as [number | null];
  return { code, said };
}

it.runIf(existsSync("/dev/full"))(
  "a result that cannot be written gives one line on stderr and exit 1; messages that cannot be " +
    "written change no exit code",
  async () => {
    const folder = await temporaryFolder();
    const published = await writePublished(join(folder, "published"), aPublishedDirectory());
    const store = join(folder, "store");
    expect(await unwritten(["build", published, "--out", store, "--json"], "stdout")).toEqual({
      code: 1,
      said: "error: the result cannot be written: ENOSPC\n",
    });
    expect(existsSync(join(store, "current.json"))).toBe(true);
    expect((await unwritten(["validate", join(folder, "nowhere")], "stderr")).code).toBe(3);
  },
);
