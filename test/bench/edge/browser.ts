import { once } from "node:events";
import { createServer } from "node:http";
import type { Socket } from "node:net";
import type { Browser } from "playwright-core";
import sirv from "sirv";
import { bundled } from "../../stores/targets/bundle.js";
import type { EdgeRun } from "./platform.js";
import { HEADERS } from "./requests.js";

const PAGE = `
import { createFetchHandler, httpStore } from "crawldex/fetch";
const headers = ${JSON.stringify(HEADERS)};
let handler;
async function timed(target) {
  const began = performance.now();
  handler ??= await createFetchHandler({ store: httpStore(location.origin) });
  const response = await handler(new Request("https://any.example" + target, { headers }));
  await response.arrayBuffer();
  if (response.status !== 200) throw new Error(target + " got " + response.status);
  return performance.now() - began;
}
globalThis.ask = async (targets) => {
  const ms = [];
  for (const target of targets) ms.push(await timed(target));
  return ms;
};
`;

/** Starts a handler in a new page of a browser, over the plain files of a web server. */
export async function startInPage(browser: Browser, store: string): Promise<EdgeRun> {
  const files = await servePlainFiles(store);
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(`${files.url}/current.json`);
  await page.addScriptTag({ content: await bundled(PAGE), type: "module" });
  const before = files.sent();
  return {
    ask: (targets) => page.evaluate<number[]>(`ask(${JSON.stringify(targets)})`),
    downloaded: async () => files.sent() - before,
    usage: async () => {
      const session = await context.newCDPSession(page);
      await session.send("HeapProfiler.collectGarbage");
      return session.send("Runtime.getHeapUsage");
    },
    stop: async () => {
      await context.close();
      await files.stop();
    },
  };
}

/** A web server with a folder's files as they are. */
export interface PlainFiles {
  readonly url: string;
  /** All bytes that it has sent, also those of heads. */
  sent(): number;
  stop(): Promise<void>;
}

export async function servePlainFiles(folder: string): Promise<PlainFiles> {
  const answer = sirv(folder);
  const sockets: Socket[] = [];
  const server = createServer((request, response) =>
    answer(request, response, () => void response.writeHead(404).end()),
  );
  server.on("connection", (socket) => sockets.push(socket));
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    sent: () => sockets.reduce((sum, { bytesWritten }) => sum + bytesWritten, 0),
    stop: async () => {
      server.closeAllConnections();
      await once(server.close(), "close");
    },
  };
}
