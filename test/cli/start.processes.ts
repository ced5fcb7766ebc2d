import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, it, onTestFinished } from "vitest";
import { temporaryFolder } from "../fixtures.js";
import { ROOT } from "../house/sources.js";

/** Runs `npm start` without compiling, and waits for its address, or for its end. */
async function started(args: readonly string[], env: NodeJS.ProcessEnv) {
  const cwd = await temporaryFolder();
  const words = [join(ROOT, "dist/cli/start.js"), ...args];
  const child = spawn(process.execPath, words, { cwd, env: { ...process.env, ...env } });
  onTestFinished(() => {
    child.kill("SIGKILL");
  });
  let said = "";
  child.stderr.on("data", (data: Buffer) => {
    said += data.toString();
  });
  for await (const line of createInterface(child.stdout)) {
    const [, url] = / at (http:\S+)/.exec(line) ?? [];
    if (url !== undefined) return { cwd, url, said };
  }
  return { cwd, url: null, said };
}

it("npm start publishes a sample into the store and serves it at PORT", async () => {
  for (const [args, env, store] of [
    [[], {}, "snapshots"],
    [[], { CRAWLDEX_STORE: "other" }, "other"],
  ] as const) {
    const { cwd, url, said } = await started(args, { PORT: "0", ...env });
    expect(said).toContain(
      `no snapshot yet: building one from the sample directory into ${store}/`,
    );
    const { id } = JSON.parse(await readFile(join(cwd, store, "current.json"), "utf8"));
    const ready = await fetch(`${url}/readyz`);
    expect(await ready.json()).toEqual({
      ready: true,
      snapshot: id,
      generation: 1,
      publishedAt: expect.any(String),
    });
  }
});

it("npm start refuses a bad PORT before it builds anything", async () => {
  const { url, said } = await started([], { PORT: "http" });
  expect(url).toBeNull();
  expect(said).toContain("from env 'PORT' is invalid");
  expect(said).not.toContain("building");
});
