import { copyFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { expect, it } from "vitest";
import { ROOT } from "../../house/sources.js";
import { blockWith, installedClone, prepared } from "../../install/machine.js";
import { ACCESS_KEY, anImitation, BUCKET, SECRET_KEY } from "./imitation.js";

it("the commands for Cloudflare install what the worker imports, and push what it answers", async () => {
  const { machine, cwd } = await prepared();
  const {
    machine: { root },
  } = await installedClone();
  const store = await anImitation();
  for (const name of readdirSync(join(ROOT, "deploy/cloudflare"))) {
    copyFileSync(join(ROOT, "deploy/cloudflare", name), join(cwd, name));
  }
  machine.stub("npx", 'echo "npx $*"');
  const printed = await machine.run(blockWith("docs/deploying.md", "wrangler deploy"), cwd);
  expect(printed).toMatch(/^npx wrangler deploy$/m);
  const push = blockWith("docs/deploying.md", "crawldex push")
    .replace("https://<account>.r2.cloudflarestorage.com", store.url)
    .replace("<id>", ACCESS_KEY)
    .replace("<secret>", SECRET_KEY)
    .replace("s3://crawldex", BUCKET);
  await machine.run(`PATH=${root}/usr/bin:$PATH\n${push}`, cwd);

  // `wrangler deploy` makes one module of the worker.
  const outfile = join(cwd, "deployed.mjs");
  const main = join(cwd, "worker.js");
  await build({ entryPoints: [main], outfile, bundle: true, format: "esm", platform: "browser" });
  const { default: worker } = await import(pathToFileURL(outfile).href);
  const bucket = {
    get: async (path: string, { range }: { range?: { offset: number; length: number } } = {}) => {
      const bytes = store.objects.get(`${BUCKET.replace("s3://bucket/", "")}/${path}`)?.bytes;
      if (bytes === undefined) return null;
      const part = range && bytes.subarray(range.offset, range.offset + range.length);
      return new Response(new Uint8Array(part ?? bytes));
    },
  };
  const answer: Response = await worker.fetch(
    new Request("https://directory.example/api/sites"),
    { BUCKET: bucket, REFRESH_SECONDS: "30", PUBLIC_KEYS: "" },
    { waitUntil: () => {} },
  );
  expect(answer.status).toBe(200);
});
