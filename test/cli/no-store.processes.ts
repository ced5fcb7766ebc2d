import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { build } from "../../src/publish/build.js";
import { aPublishedDirectory } from "../fixtures.js";
import { builtStore } from "../store/trees.js";
import { serveProcess, startServing } from "./served.js";
import { crawldex, crawldexProcess } from "./spawned.js";

/** A folder with a published directory, its store, and an exported tree. */
async function aProject() {
  const { folder } = await builtStore(aPublishedDirectory());
  await crawldex(["export", "site", "--store", "store", "-q"], folder);
  return folder;
}

describe("crawldex serve", () => {
  it("says at once what a folder without a store is and what to do, and exits 1", async () => {
    const folder = await aProject();
    const said: Record<string, RegExp> = {
      nothere: /^error: there is no store at nothere: run crawldex build .* --wait$/,
      published:
        /^error: published is a published directory, not a store: run crawldex build published, then crawldex serve$/,
      site: /^error: site is an exported tree of plain files, .* needs the store that it was exported from$/,
      "site/404.html": /^error: there is no store at site\/404.html: run crawldex build/,
      ".": /^error: there is no store at \., but there is one inside: run crawldex serve store$/,
    };
    await Promise.all(
      Object.entries(said).map(async ([store, expected]) => {
        const args = ["serve", store, "-p", "0"];
        const { code, stdout, stderr } = await crawldexProcess(args, folder);
        expect([code, stdout]).toEqual([1, ""]);
        expect(stderr.trimEnd()).toMatch(expected);
      }),
    );
  });

  it("with --wait starts without a store, answers 503, and serves the first snapshot", async () => {
    const folder = await aProject();
    const store = join(folder, "later");
    const { host, port } = await startServing(store, ["--wait"]);
    const ready = async () => (await fetch(`http://${host}:${port}/readyz`)).status;
    expect(await ready()).toBe(503);
    await build(join(folder, "published"), { store, keep: 3 });
    await expect.poll(ready, { timeout: 20_000 }).toBe(200);
  });

  it("names a port that is in use and --port", async () => {
    const folder = await aProject();
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => {
      other.close();
    });
    const { port } = other.address() as AddressInfo;
    const taken = await crawldexProcess(["serve", "store", "-q", "-p", String(port)], folder);
    expect(taken.code).toBe(1);
    expect(taken.stderr).toMatch(
      new RegExp(`^error: port ${port} is in use on 127.0.0.1: choose another with --port, `),
    );
    const address = await crawldexProcess(["serve", "store", "-q", "--host", "192.0.2.1"], folder);
    expect(address.code).toBe(1);
    expect(address.stderr).toContain(
      "this machine has no address 192.0.2.1: choose another with --host",
    );
  });

  it("takes PORT and HOST from the environment, unless an option is given", async () => {
    const folder = await aProject();
    const run = (args: string[], env: NodeJS.ProcessEnv) =>
      crawldexProcess(["serve", "store", ...args], folder, env);
    const bad = await run([], { PORT: "http" });
    expect(bad.code).toBe(2);
    expect(bad.stderr).toContain(
      "value 'http' from env 'PORT' is invalid. It must be a whole number",
    );
    const host = await run([], { HOST: "http://a" });
    expect(host.code).toBe(2);
    expect(host.stderr).toContain("from env 'HOST' is invalid. It must be an IP address");
    const elsewhere = { HOST: "192.0.2.1", PORT: "1" };
    expect((await run([], elsewhere)).stderr).toContain("no address 192.0.2.1");
    const server = serveProcess(join(folder, "store"), {
      args: ["--host", "127.0.0.1"],
      shell: "HOST=192.0.2.1 PORT=1",
    });
    expect((await server.place).host).toBe("127.0.0.1");
  });

  it("with --log json prints only the log on stdout: its banner goes to stderr", async () => {
    const folder = await aProject();
    const server = serveProcess(join(folder, "store"), { args: ["--log", "json"], isPlain: true });
    await expect.poll(server.said, { timeout: 20_000 }).toMatch(/crawldex serves .* at http/);
    const [, url = ""] = /at (http\S+)/.exec(server.said()) ?? [];
    expect((await fetch(`${url}/api/tags`)).status).toBe(200);
    server.kill("SIGTERM");
    await server.ended;
    const lines = server.printed().trim().split("\n");
    expect(lines.map((line) => JSON.parse(line).target)).toEqual(["/api/tags"]);
  });
});
