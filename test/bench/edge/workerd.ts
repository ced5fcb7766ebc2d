import { readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { npmModules } from "../../stores/servers/installed.js";
import { fill, startMiniflare } from "../../stores/servers/miniflare.js";
import { bundled } from "../../stores/targets/bundle.js";
import type { EdgeRun, HeapUsage } from "./platform.js";
import { HEADERS } from "./requests.js";

/** The recipe's worker, with a bucket that counts. */
const WORKER = `
import recipe from "./deploy/cloudflare/worker.js";
let downloaded = 0;
const counting = (bucket) => ({
  async get(...asked) {
    const object = await bucket.get(...asked);
    return object && {
      async arrayBuffer() {
        const bytes = await object.arrayBuffer();
        downloaded += bytes.byteLength;
        return bytes;
      },
    };
  },
});
export default {
  fetch(request, env, context) {
    if (new URL(request.url).pathname === "/downloaded") return Response.json(downloaded);
    return recipe.fetch(request, { ...env, BUCKET: counting(env.BUCKET) }, context);
  },
};
`;

/** Cloudflare compresses no body that a worker has compressed; it asks every worker for gzip. */
const WORKER_HEADERS = { ...HEADERS, "accept-encoding": "gzip" };

/** Starts the recipe's worker over an R2 bucket. @param folder keeps the bucket, filled with the store if that has changed */
export async function startWorkerd(store: string, folder: string): Promise<EdgeRun> {
  const worker = await startMiniflare({
    script: await bundled(WORKER),
    vars: { REFRESH_SECONDS: "30", PUBLIC_KEYS: "" },
    r2: ["BUCKET"],
    r2Folder: folder,
  });
  const filled = join(folder, "filled-with.json");
  const current = await readFile(join(store, "current.json"), "utf8");
  if ((await readFile(filled, "utf8").catch(() => "")) !== current) {
    await fill(await worker.bucket("BUCKET"), store);
    await writeFile(filled, current);
  }
  const timed = async (target: string) => {
    const began = performance.now();
    const response = await fetch(worker.direct + target, { headers: WORKER_HEADERS });
    await response.arrayBuffer();
    if (response.status !== 200) throw new Error(`${target} got ${response.status}`);
    return performance.now() - began;
  };
  return {
    ask: async (targets) => {
      const ms: number[] = [];
      for (const target of targets) ms.push(await timed(target));
      return ms;
    },
    downloaded: async () => Number(await (await fetch(`${worker.direct}/downloaded`)).text()),
    usage: () => heapUsage(worker.inspector),
    stop: worker.stop,
  };
}

/** As much as is used of `ws`, which Miniflare brings along. */
interface Socket {
  on(event: string, listener: (data: unknown) => void): void;
  send(text: string): void;
  close(): void;
}

/** workerd does not answer `collectGarbage`, but a heap snapshot begins with a collection. */
const METHODS = ["HeapProfiler.enable", "HeapProfiler.takeHeapSnapshot", "Runtime.getHeapUsage"];

async function heapUsage(url: string): Promise<HeapUsage> {
  const load = createRequire(join(await npmModules(), "any.js"));
  const WebSocket: new (url: string) => Socket = load("ws");
  const socket = new WebSocket(url);
  const usage = await new Promise<HeapUsage>((resolve, reject) => {
    socket.on("error", reject);
    socket.on("close", () => reject(new Error("workerd has closed the debugger's connection")));
    const send = (id: number) => socket.send(JSON.stringify({ id, method: METHODS[id] }));
    socket.on("open", () => send(0));
    socket.on("message", (data) => {
      const { id, result }: { id?: number; result: HeapUsage } = JSON.parse(String(data));
      if (id === undefined) return;
      if (id + 1 < METHODS.length) send(id + 1);
      else resolve(result);
    });
  });
  socket.close();
  return usage;
}
