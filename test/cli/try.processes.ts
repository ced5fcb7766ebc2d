import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync } from "node:fs";
import { createServer } from "node:net";
import { expect, it } from "vitest";
import { SERVE } from "../../src/server/options.js";
import { temporaryFolder } from "../fixtures.js";
import { serveProcess } from "./served.js";
import { COMMAND, crawldexProcess } from "./spawned.js";

/** Starts `crawldex try` with a folder for temporary files. */
async function trying() {
  const temporary = await temporaryFolder();
  const shell = `cd '${temporary}' && TMPDIR='${temporary}'`;
  return { temporary, ...serveProcess(null, { command: "try", shell }) };
}

it("serves the sample from a temporary folder, and leaves nothing behind at the end", async () => {
  const { temporary, place, kill, ended, said } = await trying();
  const { url } = await place;
  const search = await (await fetch(`${url}/api/sites?limit=1`)).json();
  expect(search).toMatchObject({ pagination: { total: 421 } });
  expect((await fetch(url)).headers.get("content-type")).toContain("text/html");
  expect(said()).toMatch(/^the sample is built: 461 reports\n$/m);
  expect(readdirSync(temporary)).toEqual([expect.stringMatching(/^crawldex-try-/)]);
  kill("SIGINT");
  expect((await ended).code).toBe(0);
  expect(readdirSync(temporary)).toEqual([]);
});

it("leaves nothing behind if it is stopped while it builds", async () => {
  const { temporary, child, kill, ended, printed } = await trying();
  while (!readdirSync(temporary).some((name) => existsSync(`${temporary}/${name}/store`))) {
    await Promise.race([once(child, "close"), new Promise((done) => setTimeout(done, 5))]);
    expect(child.exitCode).toBeNull();
  }
  kill("SIGTERM");
  expect((await ended).code).toBe(1);
  expect(JSON.parse(printed())).toMatchObject({ ok: false });
  expect(readdirSync(temporary)).toEqual([]);
});

it("takes a free port if the usual one is in use, but refuses a chosen one that is", async () => {
  const busy = createServer().listen(0, "127.0.0.1");
  await once(busy, "listening");
  const { port } = busy.address() as { port: number };
  const refused = await crawldexProcess(["try", "--port", `${port}`]);
  expect([refused.code, refused.stdout]).toEqual([1, ""]);
  expect(refused.stderr).toContain(`port ${port} is in use`);
  busy.close();

  // Somebody else may have the usual port, too.
  const usual = createServer().listen(SERVE.port.usual, "127.0.0.1");
  await Promise.race([once(usual, "listening"), once(usual, "error")]);
  const { stdout } = await stoppedAfterStart();
  usual.close();
  const [, url = ""] = /^crawldex serves the sample at (http:\S+)$/m.exec(stdout) ?? [];
  expect(url).not.toBe("");
  expect(new URL(url).port).not.toBe(`${SERVE.port.usual}`);
  expect(stdout).toContain(`${url}/sites/`);
});

/** Runs `crawldex try` without words until it has printed where it answers. */
async function stoppedAfterStart(): Promise<{ stdout: string }> {
  const { PORT: _, ...env } = process.env;
  const child = spawn(process.execPath, [COMMAND, "try"], { env });
  let stdout = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
    if (stdout.includes("Ctrl-C")) child.kill("SIGTERM");
  });
  await once(child, "close");
  return { stdout };
}
