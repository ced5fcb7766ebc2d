import { hostHash } from "../../src/contract/host.js";
import type { Report } from "../../src/contract/report.js";
import type { Standards } from "../../src/contract/standards.js";
import { buildIndex, openEngine } from "../../src/engine/engine.js";
import { isBrowsers, prefersMarkdown } from "../../src/pages/kit/accept.js";
import type { PageContext } from "../../src/pages/kit/page-context.js";
import { type AnswerContext, answer } from "../../src/runtime/answer/answer.js";
import type { SnapshotView } from "../../src/runtime/answer/content.js";
import type { Pages } from "../../src/runtime/answer/pages.js";
import { type AnswerPlace, AnswerTable, joinAnswers } from "../../src/store/columns/answers.js";
import { readColumns } from "../../src/store/columns/columns.js";
import { Current, Manifest, type StoredFile } from "../../src/store/format.js";

/*
 * The runtime as an edge network would run it: a web Request in, a Response out, and every byte of the store
 * over HTTP. Like what it drives, it reaches nothing of Node; a test of the house holds it to that.
 */

/** Fetches a file of the store by its path, or a part of it. @throws where it is not there */
export type FetchStore = (
  path: string,
  range?: { readonly offset: number; readonly length: number },
) => Promise<Uint8Array>;

export type FetchHandler = (request: Request) => Promise<Response>;

/** Loads the store's current snapshot. @param pages the pages beside the API */
export async function openEdge(fetchStore: FetchStore, pages: Pages): Promise<FetchHandler> {
  const snapshot = await openSnapshot(fetchStore);
  return async (request) => {
    const accept = request.headers.get("accept") ?? "";
    const { pathname, search } = new URL(request.url);
    const { status, headers, body, document } = await answer(
      {
        method: request.method,
        target: pathname + search,
        acceptEncoding: request.headers.get("accept-encoding") ?? undefined,
        ifNoneMatch: request.headers.get("if-none-match") ?? undefined,
        wantsMarkdown: prefersMarkdown(accept),
        isForPerson: isBrowsers(accept),
      },
      { snapshot, pages, compress, onDamage: () => {} },
    );
    const isSent = document !== undefined && request.method !== "HEAD";
    const bytes = isSent ? await snapshot.readDocument(document) : body;
    return new Response(bytes === null ? null : new Blob([new Uint8Array(bytes)]).stream(), {
      status,
      headers,
    });
  };
}

async function openSnapshot(fetchStore: FetchStore): Promise<SnapshotView> {
  const { id } = Current.parse(json(await fetchStore("current.json")));
  const manifest = Manifest.parse(json(await fetchStore(`${id}/manifest.json`)));
  const { buckets, vocabulary } = manifest;
  const columns = await Promise.all(
    buckets.map(async ({ columns: { file } }) => readColumns(await fetchStore(file))),
  );
  const table = new AnswerTable(joinAnswers(columns.map(({ answers }) => answers)));
  const documents = new Map(manifest.public.map((file) => [file.file, file]));
  const documentAt = (path: string): StoredFile => {
    const file = documents.get(path);
    if (file === undefined) throw new Error(`there is no ${path}`);
    return file;
  };
  const readDocument = async (path: string): Promise<Uint8Array> => {
    const bytes = await fetchStore(`${id}/public/${path}`);
    if ((await sha256(bytes)) !== documentAt(path).sha256) throw new Error(`${path} is damaged`);
    return bytes;
  };
  const bucketOf = (host: string) => Math.floor((hostHash(host) * buckets.length) / 2 ** 32);
  const readAnswer = async (host: string, { offset, length, crc }: AnswerPlace) => {
    const { file } = buckets[bucketOf(host)]!.pack;
    const bytes = await fetchStore(file, { offset, length });
    if (bytes.length !== length || crc32(bytes) !== crc) throw new Error(`${file} is damaged`);
    return bytes;
  };
  const listings = columns.map((one) => one.listings);
  const engine = openEngine(buildIndex(listings, vocabulary));
  const example = table.find(table.firstHost ?? "");
  const report = example && json(await readAnswer(example.host, example.report));
  const documentNamed = async (path: string) => json(await readDocument(path));
  const directory = directoryOf(
    await documentNamed("api/openapi.json"),
    await documentNamed("api/standards.json"),
    report,
  );
  return {
    id,
    engine,
    directory,
    buckets: buckets.length,
    bucketOf,
    pause: () => Promise.resolve(),
    digestOf: async (text) => (await sha256(new TextEncoder().encode(text))).slice(0, 32),
    listing: (host) => table.find(host),
    readAnswer,
    document: (path) => {
      const { bytes, sha256: hash } = documentAt(path);
      return { length: bytes, digest: hash.slice(0, 32) };
    },
    readDocument,
    checkDocument: async (path) => {
      await readDocument(path);
    },
  };
}

/** What pages say of their directory, as the documents and any report have it. */
function directoryOf(
  description: unknown,
  standards: unknown,
  report: unknown,
): Omit<PageContext, "modules"> {
  const { info, servers } = description as { info: { title: string }; servers: { url: string }[] };
  const { rubric, checks } = (standards as { data: Standards }).data;
  const checkIds = checks.map(({ id }) => id);
  const baseUrl = servers.at(-1)!.url;
  const data = (report as { data: Report } | undefined)?.data;
  const siteUrl = data?.links.canonical.slice(0, -`/sites/${data.site.host}`.length) ?? baseUrl;
  return { name: info.title, baseUrl, siteUrl, rubric, checkIds };
}

/** Edges have gzip; brotli they put on by themselves. */
const compress: AnswerContext["compress"] = async (bytes, coding) => {
  if (coding !== "gzip") throw new Error(`there is no ${coding}`);
  const stream = new Blob([new Uint8Array(bytes)]).stream();
  const coded = stream.pipeThrough(new CompressionStream("gzip"));
  return new Uint8Array(await new Response(coded).arrayBuffer());
};

function json(bytes: Uint8Array): unknown {
  return JSON.parse(new TextDecoder().decode(bytes));
}

async function sha256(bytes: Uint8Array): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", new Uint8Array(bytes)));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** CRC-32 as in ISO 3309, bit by bit. */
function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return (crc ^ 0xffffffff) >>> 0;
}
