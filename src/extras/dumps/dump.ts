import { NO_ADDRESS, RANGED_HEADERS } from "../../answer/answer.js";
import { scoredFacets, summaryLines } from "../../answer/bodies.js";
import {
  type Content,
  type Failure,
  isFailure,
  madeOnce,
  type SnapshotView,
} from "../../answer/content.js";
import { figuresOf, readOnce } from "../../answer/page-facts.js";
import { type FacetFilterName, facetItems, isFacetFilterName } from "../../contract/filters.js";
import { slugsBefore } from "../../contract/former.js";
import type { SiteSummary } from "../../contract/listing.js";
import { ROUTES } from "../../contract/routes.js";
import type { OpenApiSchema } from "../../contract/values.js";
import type { Engine, StoredSummary } from "../../engine/answering.js";
import { apiLink } from "../../pages/kit/links.js";
import type { PageContext } from "../../pages/kit/page-context.js";
import { licenseLink } from "../../pages/kit/publisher-links.js";
import { COLUMNS, summaryColumns } from "../../store/segments/table.js";
import { crawlerLists, listedHosts } from "../access/access.js";
import type { DumpIndex } from "./bodies.js";
import { croissant } from "./croissant.js";
import type { MakeDump } from "./dump-files.js";
import { HISTORY_COLUMNS, historyLines } from "./history.js";
import {
  ALL_HOSTS,
  CROISSANT,
  CROISSANT_TYPE,
  crawlerListFile,
  DUMP_FILE_NAMES,
  DUMP_FILES,
  DUMP_INDEX,
  type DumpFile,
  dumpAddress,
  HISTORY_FILE_NAMES,
  HOST_LISTS,
  type HostListName,
  hostListFile,
  hostListNamed,
  isHistoryFile,
  LISTING_FILE_NAMES,
} from "./names.js";
import { DUMP, DUMP_LIST, type DumpQuery, UNFINISHED } from "./reads.js";

/*
 * The dump is made on request, once for each snapshot: it costs publications no time, and a removed listing is in no
 * file of a later snapshot.
 */

const REPLACED: Failure = {
  status: 410,
  error: `A newer dump has replaced this one; its index is at ${DUMP.path}.`,
};

/** Listings per row group of the Parquet file. Smaller groups would make the file larger. */
const GROUP = 2_000;
/**
 * Up to this many listings, the answering thread makes the dump itself, in about 25 ms. A thread takes 50 ms to
 * start.
 */
const ALONE_ROWS_MAX = 500;
/**
 * Up to this many listings, requests wait for the thread, about a second. Beyond, they get a 503 until the dump is
 * made: no client should wait for so long, and one that leaves and asks again is not in vain.
 */
const AWAITED_ROWS_MAX = 10_000;
/** Listings that a thread dumps in a second, with a margin. */
const ROWS_PER_SECOND = 5_000;
/** The longest `Retry-After`, in seconds. Clients give up if they are to wait for longer. */
const RETRY_SECONDS_MAX = 30;

/** A file of the dump. Its bytes depend on the snapshot alone. */
interface MadeFile {
  readonly bytes: Uint8Array;
  /** In hex. */
  readonly sha256: string;
}

/** The making of some files. Its promise may reject before anybody awaits it. */
interface Making {
  readonly files: Promise<ReadonlyMap<DumpFile, MadeFile>>;
  isOver: boolean;
}

/** By snapshot, freed with it, and by file. */
const makings = new WeakMap<SnapshotView, Map<DumpFile, Making>>();

/** A file of the dump of a snapshot, which is made once; a failure while a thread still makes it. */
async function madeFile(
  file: DumpFile,
  snapshot: SnapshotView,
  thread: MakeDump | undefined,
): Promise<MadeFile | Failure> {
  const shared = snapshot.answering?.snapshot ?? snapshot;
  const { size } = await shared.engine;
  const inThread = (await isLarge(shared)) ? thread : undefined;
  const known = makings.get(shared) ?? new Map<DumpFile, Making>();
  makings.set(shared, known);
  const names = madeWith(file, inThread);
  const making = known.get(file) ?? startMaking(names, shared, inThread);
  for (const name of names) known.set(name, making);
  if (inThread !== undefined && size > AWAITED_ROWS_MAX && !making.isOver) return unfinished(size);
  try {
    return (await (snapshot.answering?.engine.inTime(making.files) ?? making.files)).get(file)!;
  } catch (error) {
    // The next request tries again, unless this one had no more time to wait.
    if (making.isOver) for (const name of names) if (known.get(name) === making) known.delete(name);
    throw error;
  }
}

/** Whether making the dump would keep other requests waiting. An export has no other requests. */
async function isLarge({ engine, directory }: SnapshotView): Promise<boolean> {
  return directory.tree === undefined && (await engine).size > ALONE_ROWS_MAX;
}

/**
 * Whether there are files of the history, which is read from reports. An edge worker has no thread to read them in, so
 * it has these files only for few listings. An export has none: after a change of one listing, it must not read the
 * reports of all.
 */
async function hasHistory(snapshot: SnapshotView, thread: MakeDump | undefined): Promise<boolean> {
  if (snapshot.directory.tree !== undefined) return false;
  return thread !== undefined || !(await isLarge(snapshot));
}

/** The files that are made together: a thread makes all files with the same rows from one reading of them. */
function madeWith(file: DumpFile, inThread: MakeDump | undefined): readonly DumpFile[] {
  if (isHistoryFile(file)) return HISTORY_FILE_NAMES;
  return inThread === undefined ? [file] : LISTING_FILE_NAMES;
}

function startMaking(...asked: Parameters<typeof makeFiles>): Making {
  const making = { files: makeFiles(...asked), isOver: false };
  const end = () => {
    making.isOver = true;
  };
  making.files.then(end, end);
  return making;
}

async function makeFiles(
  names: readonly DumpFile[],
  snapshot: SnapshotView,
  inThread: MakeDump | undefined,
): Promise<ReadonlyMap<DumpFile, MadeFile>> {
  // The writers are loaded with the first dump: an edge worker may never need them.
  const make = inThread ?? (await import("./dump-files.js")).dumpFiles;
  const made = new Map<DumpFile, MadeFile>();
  const rows = names.some(isHistoryFile)
    ? historyLines(snapshot)
    : rowGroups(await snapshot.engine);
  for (const [name, bytes] of await make(names, rows)) {
    made.set(name, { bytes, sha256: await snapshot.sha256Of(bytes) });
    await snapshot.pause();
  }
  return made;
}

/** The summaries of all listings, one a line, in parts of a row group. */
async function* rowGroups(engine: Engine): AsyncGenerator<Uint8Array> {
  let group: StoredSummary[] = [];
  for await (const summaries of engine.allSummaries()) {
    group = group.concat(summaries);
    while (group.length >= GROUP) yield summaryLines(group.splice(0, GROUP));
  }
  if (group.length > 0) yield summaryLines(group);
}

function unfinished(rows: number): Failure {
  const seconds = Math.min(RETRY_SECONDS_MAX, Math.ceil(rows / ROWS_PER_SECOND));
  const headers = { "Retry-After": `${seconds}` };
  return { status: 503, error: UNFINISHED, headers };
}

/**
 * The content of `/api/dump/`.
 * @param thread makes files while other requests are answered. Default: the platform has no threads
 */
export async function dumpIndexContent(
  snapshot: SnapshotView,
  thread?: MakeDump,
): Promise<Content | Failure> {
  const index = await dumpIndex(snapshot, thread);
  if (isFailure(index)) return index;
  const text = JSON.stringify({ data: index });
  const headers = { Link: `<${CROISSANT}>; rel="describedby"; type="${CROISSANT_TYPE}"` };
  const { contentType } = DUMP;
  return { ...(await textContent(text, snapshot)), contentType, headers };
}

/** The content of a file of the dump. @param thread see `dumpIndexContent` */
export async function dumpFileContent(
  { content }: DumpQuery,
  snapshot: SnapshotView,
  file: string,
  thread?: MakeDump,
): Promise<Content | Failure> {
  if (content !== undefined && content !== snapshot.content) return REPLACED;
  if (file === DUMP_INDEX) return dumpIndexContent(snapshot, thread);
  if (file === CROISSANT) return croissantContent(snapshot, thread);
  const name = DUMP_FILE_NAMES.find((one) => one === file);
  if (name === undefined) return hostsContent(file, snapshot);
  if (isHistoryFile(name) && !(await hasHistory(snapshot, thread))) return NO_ADDRESS;
  const made = await madeFile(name, snapshot, thread);
  if (isFailure(made)) return made;
  const { bytes, sha256 } = made;
  return {
    digest: sha256.slice(0, 32),
    sha256,
    length: bytes.length,
    isCompressed: true,
    read: async () => bytes,
    contentType: DUMP_FILES[name],
    headers: RANGED_HEADERS,
  };
}

async function croissantContent(
  snapshot: SnapshotView,
  thread: MakeDump | undefined,
): Promise<Content | Failure> {
  const index = await dumpIndex(snapshot, thread);
  if (isFailure(index)) return index;
  const document = croissant(index, snapshot.directory);
  return {
    ...(await textContent(JSON.stringify(document), snapshot)),
    contentType: CROISSANT_TYPE,
  };
}

async function hostsContent(file: string, snapshot: SnapshotView): Promise<Content | Failure> {
  const list = hostListNamed(file, snapshot.directory.former);
  if (list === null && file !== ALL_HOSTS) return NO_ADDRESS;
  const engine = await snapshot.engine;
  const hosts = await engine.hostsFound(list === null ? {} : { [list.name]: [list.value] });
  // A value that no listing has gets no list.
  if (hosts.length === 0 && list !== null) return NO_ADDRESS;
  return listContent(hosts, snapshot);
}

/** The content of a list of the hosts that treat a crawler alike. */
export async function dumpListContent(
  { content }: DumpQuery,
  snapshot: SnapshotView,
  file: string,
): Promise<Content | Failure> {
  if (content !== undefined && content !== snapshot.content) return REPLACED;
  const hosts = await listedHosts(file, snapshot);
  return hosts === null ? NO_ADDRESS : listContent(hosts, snapshot);
}

async function listContent(hosts: readonly string[], snapshot: SnapshotView): Promise<Content> {
  const text = hosts.map((host) => `${host}\n`).join("");
  return { ...(await textContent(text, snapshot)), contentType: DUMP_LIST.contentType };
}

async function textContent(text: string, snapshot: SnapshotView): Promise<Content> {
  const bytes = new TextEncoder().encode(text);
  const sha256 = await snapshot.sha256Of(bytes);
  const digest = sha256.slice(0, 32);
  return { digest, sha256, length: bytes.length, read: async () => bytes };
}

async function dumpIndex(
  snapshot: SnapshotView,
  thread: MakeDump | undefined,
): Promise<DumpIndex["data"] | Failure> {
  const files = await filesOf(LISTING_FILE_NAMES, snapshot, thread);
  if (isFailure(files)) return files;
  const ofHistory = (await hasHistory(snapshot, thread))
    ? await filesOf(HISTORY_FILE_NAMES, snapshot, thread)
    : [];
  if (isFailure(ofHistory)) return ofHistory;
  const { columns, lists, croissant, ...facts } = await dumpFacts(snapshot);
  const history = { files: ofHistory, columns: [...HISTORY_COLUMNS] };
  return { ...facts, files, columns, history, lists, croissant };
}

/** What the index says of some files. */
async function filesOf(
  names: readonly DumpFile[],
  snapshot: SnapshotView,
  thread: MakeDump | undefined,
): Promise<DumpIndex["data"]["files"] | Failure> {
  const { content, directory } = snapshot;
  const files: DumpIndex["data"]["files"] = [];
  for (const file of names) {
    const made = await madeFile(file, snapshot, thread);
    if (isFailure(made)) return made;
    const { bytes, sha256 } = made;
    const url = dumpLink(file, directory, content);
    files.push({ file, url, mediaType: DUMP_FILES[file], bytes: bytes.length, sha256 });
  }
  return files;
}

/** The absolute address of a file of the dump that `content` names. */
function dumpLink(file: string, context: PageContext, content: string): string {
  const address = apiLink(dumpAddress(file), context);
  // A tree has the files of one dump, under fixed names.
  return context.tree === undefined ? `${address}?content=${content}` : address;
}

/** What the index says besides its files. */
const dumpFacts = madeOnce(async (snapshot: SnapshotView) => {
  const { content, directory, history } = snapshot;
  const { size } = await snapshot.engine;
  const linked = (file: string) => ({ file, url: dumpLink(file, directory, content) });
  return {
    content,
    generation: history.generation,
    scannedTo: (await figuresOf(snapshot)).lastScannedAt,
    rows: size,
    license: licenseLink(directory),
    columns: await dumpColumns(snapshot),
    lists: [
      { ...linked(ALL_HOSTS), hosts: size },
      ...(await listsOf(snapshot)).map(([filter, value, hosts]) => ({
        ...linked(hostListFile(filter, value)),
        hosts,
        filter,
        value,
      })),
      ...Array.from(
        (await crawlerLists(snapshot)).values(),
        ({ file, hosts, crawler, access }) => ({
          ...linked(crawlerListFile(file)),
          hosts,
          crawler,
          access,
        }),
      ),
    ],
    croissant: dumpLink(CROISSANT, directory, content),
  };
});

type ValueCounts = readonly (readonly [value: string, count: number])[];

/** The lists of hosts: one for each value that any listing has, with the number of its listings. */
async function listsOf({
  engine,
  directory,
}: SnapshotView): Promise<[HostListName, string, number][]> {
  const data = await scoredFacets({}, directory.rubric, await engine);
  const uncounted: Readonly<Record<Exclude<HostListName, FacetFilterName>, ValueCounts>> = {
    band: data.scores.bands.map(({ band, count }) => [band, count]),
  };
  const counts = (name: HostListName): ValueCounts =>
    isFacetFilterName(name)
      ? facetItems(data, name).map((item) => ["id" in item ? item.id : item.slug, item.count])
      : uncounted[name];
  return HOST_LISTS.flatMap((name) =>
    counts(name)
      .filter(([, count]) => count > 0)
      .map(([value, count]): [HostListName, string, number] => [name, value, count]),
  );
}

export async function dumpFileNames(snapshot: SnapshotView): Promise<string[]> {
  const { former } = snapshot.directory;
  const lists = (await listsOf(snapshot)).flatMap(([name, value]) =>
    [value, ...slugsBefore(name, value, former)].map((slug) => hostListFile(name, slug)),
  );
  const ofCrawlers = Array.from((await crawlerLists(snapshot)).keys(), crawlerListFile);
  return [DUMP_INDEX, ...LISTING_FILE_NAMES, ALL_HOSTS, ...lists, ...ofCrawlers, CROISSANT];
}

const TYPES = {
  text: "text",
  number: "integer",
  flag: "boolean",
  texts: "list of texts",
  term: "text",
  terms: "list of texts",
} as const;

/** The columns of all files, with their descriptions from the directory's own description of its API. */
async function dumpColumns(snapshot: SnapshotView): Promise<DumpIndex["data"]["columns"]> {
  const described = await summarySchema(snapshot);
  return summaryColumns().map((name) => {
    const { kind, isNullable = false } = COLUMNS[name];
    const slug = kind === "term" || kind === "terms" ? " Parquet and CSV have slugs." : "";
    return {
      name,
      type: TYPES[kind],
      isNullable,
      description: `${described[name]?.description ?? name}${slug}`,
    };
  });
}

interface Description {
  readonly components: { readonly schemas: Readonly<Record<string, OpenApiSchema>> };
}

const summarySchema = readOnce(ROUTES.openapi.document, ({ components }: Description) => {
  const { properties } = components.schemas.SiteSummary ?? {};
  return (properties ?? {}) as Readonly<Partial<Record<keyof SiteSummary, OpenApiSchema>>>;
});
