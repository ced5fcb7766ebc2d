import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Answer, TypedContent } from "../answer/answer.js";
import { isFailure } from "../answer/content.js";
import type { Pages } from "../answer/page-types.js";
import type { OnProgress } from "../lib/options.js";
import { html } from "../pages/kit/html.js";
import { type BuildResult, build } from "../publish/build.js";
import type { BuildOptions } from "../publish/options.js";
import { serveStore } from "../server/server.js";
import { LOOPBACK, type Preview } from "./preview.js";

/** A server that shows a directory before it is published. */
export interface PublishedPreview extends Preview {
  readonly built: BuildResult;
}

export interface PublishedPreviewOptions {
  /** 0 takes a free port. */
  readonly port: number;
  /** As for `build`. */
  readonly accept?: BuildOptions["accept"];
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: OnProgress | undefined;
}

/** Bytes of answers to cache in memory. */
const CACHE_BYTES = 16 * 1024 * 1024;

/**
 * Builds a published directory into a temporary store and serves it on the loopback address, each page with a bar that
 * says so. The public store is neither read nor changed. `close` deletes the temporary store.
 * @param published the directory's folder
 * @throws as `build`; an error of the system if the port is not available
 */
export async function previewPublished(
  published: string,
  { port, accept, signal, onProgress }: PublishedPreviewOptions,
): Promise<PublishedPreview> {
  const folder = await mkdtemp(join(tmpdir(), "crawldex-preview-"));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    const store = join(folder, "store");
    const built = await build(published, { store, accept, signal, onProgress });
    const server = await serveStore({
      store,
      port,
      host: LOOPBACK,
      cacheBytes: CACHE_BYTES,
      verify: undefined,
      metrics: false,
      requestLog: false,
      log: () => {},
      mark: markedPages,
    });
    const close = async () => {
      await server.close();
      await remove();
    };
    return { url: server.url, port: server.port, built, close };
  } catch (error) {
    await remove();
    throw error;
  }
}

const BAR = html`<div class="top"><div class="wide">
    <p class="notice" data-preview>Preview: this directory is not published yet.</p></div></div>
`.markup;
const BODY = "<body>\n";

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Wraps pages so that each HTML page has a bar at its top. */
function markedPages(pages: Pages): Pages {
  return {
    ...pages,
    content: async (...asked) => {
      const found = await pages.content(...asked);
      return isFailure(found) ? found : markedContent(found);
    },
    failure: async (...asked) => markedAnswer(await pages.failure(...asked)),
  };
}

function markedContent(page: TypedContent): TypedContent {
  if (!isHtml(page.contentType)) return page;
  return {
    ...page,
    // Differs from the tag of the public page, which may have the same address behind a proxy.
    digest: `preview-${page.digest}`,
    length: page.length + BAR.length,
    read: async () => marked(await page.read()),
  };
}

function markedAnswer(answer: Answer): Answer {
  if (answer.body === null || !isHtml(answer.headers["Content-Type"] ?? "")) return answer;
  const body = marked(answer.body);
  return { ...answer, body, headers: { ...answer.headers, "Content-Length": `${body.length}` } };
}

function isHtml(contentType: string): boolean {
  return contentType.startsWith("text/html");
}

/** The first `<body>` is the page's own: texts of the directory are escaped. */
function marked(page: Uint8Array): Uint8Array {
  return encoder.encode(decoder.decode(page).replace(BODY, BODY + BAR));
}
