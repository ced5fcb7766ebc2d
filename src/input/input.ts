import { realpathSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Figures } from "../contract/figures.js";
import type { FormerSlugs } from "../contract/former.js";
import type { Standards } from "../contract/standards.js";
import { hasCode } from "../files/errors.js";
import { isWithin } from "../files/paths.js";
import type { WarningCode } from "./checking/codes.js";
import { locatedProblems } from "./checking/positions.js";
import { BadInputError, type Finding, Findings, quote } from "./checking/problem.js";
import { checkRecord, type RecordChecks } from "./checking/record.js";
import {
  directoryNotices,
  directoryRules,
  listingChecks,
  scanChecks,
  standardsRules,
  taxonomyNotices,
  taxonomyRules,
  templateNotices,
} from "./checking/rules.js";
import {
  completeStandards,
  DirectoryRecord,
  type FormerRubric,
  formerSlugsOf,
  StandardsRecord,
  Taxonomy,
} from "./checking/schemas.js";
import { InputReader, type LocatedInput } from "./input-reader.js";
import {
  type DOCUMENTS,
  FileError,
  fileError,
  findFiles,
  isThere,
  PARTS,
  PublishedFolderError,
  type RecordKind,
  unknownNames,
  wholeFile,
} from "./locating/files.js";
import {
  type KnownFile,
  type LocatedFile,
  locateRecords,
  readWhole,
  tooLong,
} from "./locating/locate.js";
import type { Select, Selected, Selection } from "./selection.js";

/** An open published directory (docs/publishing.md): its documents are read, and its records are located. */
export interface Input {
  /** This document and the next two are null if they are bad; `findings` says why. */
  readonly directory: DirectoryRecord | null;
  readonly standards: Standards | null;
  readonly taxonomy: Taxonomy | null;
  /** The slugs that terms of the documents had before; undefined if none was renamed. */
  readonly former: FormerSlugs | undefined;
  /** The rubrics of earlier versions, oldest first: those of standards.json, and others that `seen` has. */
  readonly formerRubrics: readonly FormerRubric[];
  /** Located records, including bad ones. */
  readonly listingCount: number;
  readonly scanCount: number;
  /** The hosts that were chosen; null if it is the whole input. */
  readonly selected: Selected | null;
  /** Found so far. They are complete once all threads that read the records have handed theirs over. */
  readonly findings: Findings;
  /** The located files; the next run can pass them on as `known`. */
  readonly files: Readonly<Record<RecordKind, readonly LocatedFile[]>>;
  /** What reads the records, in any thread: `new InputReader(located)`. */
  readonly located: LocatedInput;
}

export interface OpenOptions {
  /** The rubrics that the builder has seen, oldest first. Default: none. */
  readonly seen?: readonly FormerRubric[] | undefined;
  /** Aborts opening; the signal's reason is thrown. */
  readonly signal?: AbortSignal | undefined;
  /** Files whose records need not be located again, by their paths inside the folder. Changed files are read anyway. */
  readonly known?: Readonly<Record<RecordKind, ReadonlyMap<string, KnownFile>>> | undefined;
  /** Chooses the records. All files are read then, whether they are known or not. Default: all are located. */
  readonly select?: Select | undefined;
  /** This machine's clock, in milliseconds since 1970: scans more than a day later get a warning. Default: none. */
  readonly now?: number | undefined;
  /** The codes of warnings that are accepted, besides those in directory.json. Default: none. */
  readonly accept?: readonly WarningCode[] | undefined;
  /** Called with the bytes read so far and the total bytes to read. */
  readonly onRead?: ((kind: RecordKind, done: number, total: number) => void) | undefined;
}

/**
 * Opens a published directory: reads its three documents and locates its records.
 * @param folder the folder, or a link to it
 * @throws PublishedFolderError if the folder does not exist, is not a folder, cannot be listed, or is not
 * one to select from. Faults inside the folder are in `findings` instead.
 */
export async function openInput(folder: string, options: OpenOptions = {}): Promise<Input> {
  const root = rootOf(folder);
  const findings = new Findings(options.accept);
  const { directory, standards, stated, taxonomy, former } = readDocuments(root, findings);
  findings.accept(directory?.accept ?? []);
  const formerRubrics = formerRubricsOf(standards, stated, options.seen);
  const documents = { standards, formerRubrics, taxonomy, former, now: options.now };
  const selection = options.select?.(root) ?? null;
  const locate = <T>(kind: RecordKind, checks: RecordChecks<T>) =>
    locateKind(root, kind, checks, findings, options, selection);
  const listings = await locate("listings", listingChecks(documents));
  const scans = await locate("scans", scanChecks(documents));
  findings.warn(unknownNames(root, [...listings.records.files, ...scans.records.files]));
  const isBad = findings.problems.count > 0;
  return {
    directory,
    standards,
    taxonomy,
    former,
    formerRubrics,
    listingCount: listings.count,
    scanCount: scans.count,
    selected: selection?.end(isBad) ?? null,
    findings,
    files: { listings: listings.files, scans: scans.files },
    located: {
      ...documents,
      listings: listings.records,
      scans: scans.records,
      lacksListings: listings.isPartial,
      accepts: findings.accepts,
    },
  };
}

/** The former rubrics. What the publisher states of a version counts more than what the builder has seen. */
function formerRubricsOf(
  standards: Standards | null,
  stated: readonly FormerRubric[],
  seen: readonly FormerRubric[] = [],
): FormerRubric[] {
  const rubrics = new Map<string, FormerRubric>();
  const isSeen = new Set(seen.map(({ version }) => version));
  const older = stated.filter(({ version }) => !isSeen.has(version));
  // An entry that is set again keeps its position.
  for (const one of [...older, ...seen, ...stated]) rubrics.set(one.version, one);
  if (standards !== null) rubrics.delete(standards.rubric.version);
  return [...rubrics.values()];
}

/** Locates the records of one kind, and checks those that name no host. */
async function locateKind<T>(
  root: string,
  kind: RecordKind,
  checks: RecordChecks<T>,
  findings: Findings,
  { signal, known, onRead }: OpenOptions,
  selection: Selection | null,
) {
  const { problems } = findings;
  const before = problems.count;
  const found = await findFiles(root, kind, findings);
  const isPartial = problems.count > before;
  const { columns, lost, files } = await locateRecords(found, {
    known: selection ? undefined : known?.[kind],
    signal,
    keeps: (hash) => selection === null || selection.takes(hash),
    onRecord: (...record) => selection?.pass(kind, ...record),
    onRead: onRead && ((done, total) => onRead(kind, done, total)),
    onLost: (source) => problems.add(checkRecord(checks, source).problems),
    onProblem: (problem) => problems.add([problem]),
  });
  const failed = new Uint8Array(new SharedArrayBuffer(found.length));
  return {
    records: { files: found, columns, failed },
    count: columns.count + lost,
    files,
    isPartial: isPartial || files.length < found.length,
  };
}

/** Warns of listings that had scans in an earlier run and have none now. @param hosts of these listings */
export function warnOfLostScans(input: Input, hosts: readonly string[]): void {
  const message = "has no scan any more, so its report goes; is a file of scans missing?";
  warnOfListings(input, "scans-lost", new Map(hosts.map((host) => [host, message])));
}

/** Warns of the listings of some hosts. @param messages by host: what is wrong, and the remedy */
export function warnOfListings(
  { located, findings }: Input,
  code: WarningCode,
  messages: ReadonlyMap<string, string>,
): void {
  if (messages.size === 0) return;
  const reader = new InputReader(located);
  reader.warnOfListings(code, messages);
  reader.close();
  findings.receive(reader.findings.take());
}

/** The published directory has errors, so nothing was written. */
export class BadPublishedError extends BadInputError {
  override readonly name = "BadPublishedError";
}

/**
 * @param strict whether warnings count as errors
 * @throws BadPublishedError
 */
export function throwIfBadInput({ findings }: Input, folder: string, strict: boolean): void {
  const { problems, warnings } = findings;
  if (strict) problems.receive(warnings.take());
  if (problems.count === 0) return;
  throw new BadPublishedError(folder, "published directory", problems, findings.listed);
}

/**
 * The standards of a published directory whose three documents are good. @throws PublishedFolderError,
 * BadPublishedError
 */
export function goodStandards(folder: string): Standards {
  const findings = new Findings();
  const { standards } = readDocuments(rootOf(folder), findings);
  if (standards !== null && findings.problems.count === 0) return standards;
  throw new BadPublishedError(folder, "published directory", findings.problems);
}

function rootOf(folder: string): string {
  const hint = (where: string) => `crawldex init ${where} writes a minimal one to start from`;
  try {
    const root = realpathSync(folder);
    if (!statSync(root).isDirectory()) throw new FileError("is not a folder");
    if (["directory.json", "listings"].every((name) => !isThere(join(root, name)))) {
      const missing = PARTS.filter((name) => !isThere(join(root, name))).join(", ");
      const message = `is not a published directory: it lacks ${missing}`;
      throw new FileError(`${message}; ${hint("<new folder>")}`);
    }
    return root;
  } catch (error) {
    const remedy = hasCode(error, ["ENOENT"]) ? `; ${hint(folder)}` : "";
    const { message } = fileError(error);
    throw new PublishedFolderError(`the published folder ${folder} ${message}${remedy}`);
  }
}

/** Reads the three single documents. A bad document is null. */
function readDocuments(root: string, findings: Findings) {
  const read = <T>(name: (typeof DOCUMENTS)[number], checks: RecordChecks<T>) =>
    readDocument(root, name, checks, findings);
  const standards = read("standards.json", {
    schema: StandardsRecord,
    rules: standardsRules,
    notices: templateNotices("standards.json"),
  });
  const taxonomy = read("taxonomy.json", {
    schema: Taxonomy,
    rules: taxonomyRules,
    notices: taxonomyNotices,
  });
  return {
    directory: read("directory.json", {
      schema: DirectoryRecord,
      rules: directoryRules,
      notices: (record) => [
        ...directoryNotices(record),
        ...templateNotices("directory.json")(record),
      ],
    }),
    standards: standards && completeStandards(standards),
    stated: standards?.formerRubrics ?? [],
    taxonomy,
    former: formerSlugsOf(standards, taxonomy),
  };
}

/**
 * Warns once for each other version that has scores without a band, at the rubric's version.
 * @param unless a case in which they have one after all
 */
export function warnOfUnbanded(
  folder: string,
  { standards, findings: found }: Input,
  { all, otherVersions = {} }: Figures,
  unless = "",
): void {
  const others = Object.entries(otherVersions);
  const total = others.reduce((sum, [, { scored }]) => sum + scored, all.scored);
  const findings = others
    .filter(([, { unbanded }]) => unbanded > 0)
    .map(([other, { unbanded }]): Finding => {
      const found = other === "" ? "no scoreVersion" : `scoreVersion ${quote(other)}`;
      const message =
        `${unbanded} of ${total} published scores have ${found}, the rubric is ` +
        `${quote(standards?.rubric.version ?? "")}: they have no band${other && unless}; rescan these sites, ` +
        (other === ""
          ? "or give their scans the version that scored them"
          : "add the rubric of that version to formerRubrics, or give their scans the band that they had");
      return { code: "score-without-band", path: ["rubric", "version"], message };
    });
  if (standards === null || findings.length === 0) return;
  const { bytes } = readWhole(pathInside(realpathSync(folder), "standards.json"));
  found.warn(locatedProblems("standards.json", 1, String(bytes), findings));
}

/** Reads one of the three single documents; null if it is bad. */
function readDocument<T>(
  root: string,
  name: string,
  checks: RecordChecks<T>,
  findings: Findings,
): T | null {
  try {
    const { bytes, length } = readWhole(pathInside(root, name));
    if (bytes === null) throw tooLong(length);
    const checked = checkRecord(checks, { file: name, line: 1, bytes });
    findings.problems.add(checked.problems);
    findings.warn(locatedProblems(name, 1, bytes.toString(), checked.notices));
    return checked.value;
  } catch (error) {
    findings.problems.add([wholeFile(name, fileError(error))]);
    return null;
  }
}

function pathInside(root: string, name: string): string {
  const path = join(root, name);
  if (!isThere(path)) {
    throw new FileError(
      "is missing, expected directory.json, standards.json and taxonomy.json in the folder",
      "part-missing",
    );
  }
  const real = realpathSync(path);
  if (!isWithin(root, real)) {
    throw new FileError("is a link that leads out of the published folder", "part-missing");
  }
  return real;
}
