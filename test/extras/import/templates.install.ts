import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { ROOT } from "../../house/sources.js";
import { installedClone, Machine } from "../../install/machine.js";

/** wrangler needs a newer Node than this project does. Node's programs are packages, one for each platform. */
const NODE = `node-${process.platform}-${process.arch}`;

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  return typeof address === "object" && address !== null ? address.port : 0;
}

it("the template for Cloudflare builds from its tables, and wrangler serves it and would deploy it", async () => {
  const { tarball } = await installedClone();
  const machine = new Machine();
  const cwd = machine.folder("home/directory");
  cpSync(join(ROOT, "templates/cloudflare"), cwd, { recursive: true });
  const file = join(cwd, "package.json");
  const manifest = JSON.parse(readFileSync(file, "utf8"));
  manifest.dependencies.crawldex = `file:${tarball}`;
  writeFileSync(file, JSON.stringify(manifest));
  await machine.run(`npm install && npm install --no-save ${NODE}@24 && npm run build`, cwd);

  const env = {
    ...process.env,
    PATH: `${cwd}/node_modules/${NODE}/bin:${process.env.PATH}`,
    WRANGLER_SEND_METRICS: "false",
    CI: "1",
  };
  const port = await freePort();
  const words = ["wrangler", "dev", "--port", `${port}`];
  const server = spawn("npx", words, { cwd, env, stdio: "ignore", detached: true });
  onTestFinished(() => {
    if (server.pid !== undefined) process.kill(-server.pid, "SIGKILL");
  });
  const url = `http://127.0.0.1:${port}`;
  const search = () =>
    fetch(`${url}/api/sites?sort=score`).then(
      async (answer) => JSON.parse(await answer.text()).data,
      () => null,
    );
  await expect.poll(search, { timeout: 60_000, interval: 500 }).toMatchObject([
    { host: "peas.example", latestScore: 100 },
    { host: "beans.example", latestScore: 60 },
    { host: "roses.example", latestScore: null },
  ]);
  expect(await (await fetch(`${url}/sites/peas.example`)).text()).toContain("<h1");
  expect((await fetch(`${url}/.notes`)).status).toBe(404);

  const dry = await machine.run("npx wrangler deploy --dry-run --outdir dry", cwd, env);
  expect(dry).toContain("env.ASSETS");
});
