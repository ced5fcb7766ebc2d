import { existsSync } from "node:fs";
import type { Browser, Page } from "playwright-core";
import { installedExtras } from "../../../src/extra.js";
import type { Given, Sent, Target } from "../../fetch/comparison.js";
import { bundled } from "./bundle.js";

/** A page's answer to a request; the body in base64. */
interface Received extends Omit<Given, "body"> {
  readonly body: string;
}

/** A fetch handler in a browser's page. */
export interface BrowserTarget extends Target {
  readonly page: Page;
}

/** Opens the fetch handler in a browser. @param url a web server with the files of a store */
export async function openInBrowser(browser: Browser, url: string): Promise<BrowserTarget> {
  const page = await browser.newPage();
  await page.goto(`${url}/current.json`);
  await page.addScriptTag({ content: await bundled(script()), type: "module" });
  // A module runs some time after its element is there.
  await page.waitForFunction("typeof start === 'function'");
  await page.evaluate("start(location.origin)");
  const ask = async (requests: readonly Sent[]) => {
    const received = await page.evaluate<Received[]>(`ask(${JSON.stringify(requests)})`);
    return received.map((one) => ({ ...one, body: Buffer.from(one.body, "base64") }));
  };
  return { name: "Chromium over plain files", page, ask };
}

/**
 * A handler with the pages and all extras that answer something. It draws no pictures, as servers of tests do not, and
 * does not require signatures, which their stores do not have.
 */
function script(): string {
  const answering = installedExtras().filter(
    ({ reads, pages, searchEngine, verifier }) =>
      verifier === undefined && (reads ?? pages ?? searchEngine),
  );
  const edges = answering
    .map(({ name }) => name)
    .filter((name) => existsSync(`src/extras/${name}/edge.ts`));
  const imports = edges.map(
    (name, at) => `import * as edge${at} from "crawldex/extras/${name}/edge";`,
  );
  return `${imports.join("\n")}
const edges = [${edges.map((_, at) => `edge${at}`).join(", ")}];
const extras = edges.flatMap(Object.values).map((make) => ({ ...make(), rasterize: undefined }));
${PAGE}`;
}

/** Pages may not set Accept-Encoding: a request gets its headers from outside. */
const PAGE = `
import { createFetchHandler, httpStore } from "crawldex/fetch";
import { pages } from "crawldex/fetch/pages";
let handler;
globalThis.start = async (url) => {
  handler = await createFetchHandler({ store: httpStore(url), pages: pages(), extras });
};
globalThis.ask = (requests) => Promise.all(requests.map(async ({ target, method, headers }) => {
  const request = new Request("https://any.example" + target, { method });
  Object.defineProperty(request, "headers", { value: new Headers(headers) });
  const response = await handler(request);
  let body = "";
  for (const byte of new Uint8Array(await response.arrayBuffer())) body += String.fromCharCode(byte);
  const { status } = response;
  return { status, headers: Object.fromEntries(response.headers), body: btoa(body) };
}));
`;
