import { closeSync, existsSync, realpathSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { isObject } from "../../contract/values.js";
import { disk } from "../../files/disk.js";
import { readLines } from "../../files/lines.js";
import { unfinishedName } from "../../files/random-name.js";
import { parseJson } from "../../input/checking/json.js";
import { Findings } from "../../input/checking/problem.js";
import { RECORD_MAX, type RecordSource } from "../../input/checking/record.js";
import { BadPublishedError } from "../../input/input.js";
import {
  findFiles,
  isOneRecord,
  openInputFile,
  type RecordKind,
  readBytes,
} from "../../input/locating/files.js";
import { locateRecords } from "../../input/locating/locate.js";

/** A record of JSON. */
export type JsonRecord = Readonly<Record<string, unknown>>;

/** Changes of a published directory's records and documents, which are written together. */
export class DirectoryEdits {
  readonly #root: string;
  readonly #documents = new Map<string, unknown>();
  /** By the name of the file: the records that take the place of those on its lines, and those after its end. */
  readonly #files = new Map<string, { lines: Map<number, JsonRecord>; after: JsonRecord[] }>();

  /** @param published an existing published directory */
  constructor(published: string) {
    this.#root = realpathSync(published);
  }

  /**
   * Reads all records of a kind, one at a time.
   * @param see its source's bytes are valid until the next call
   * @throws BadPublishedError if a file cannot be read, or a record is not a JSON object with a host
   */
  async eachRecord(
    kind: RecordKind,
    see: (record: JsonRecord, source: RecordSource) => void,
  ): Promise<void> {
    const findings = new Findings();
    const { problems } = findings;
    const refuse = ({ file, line }: RecordSource) => {
      const message = "is no record with a host; crawldex validate says more";
      problems.add([{ file, line, column: 1, path: "$", message }]);
    };
    await locateRecords(await findFiles(this.#root, kind, findings), {
      onRecord: (source) => {
        const json = parseJson(source.bytes);
        if ("value" in json && isObject(json.value)) see(json.value, source);
        else refuse(source);
      },
      onLost: refuse,
      onProblem: (problem) => problems.add([problem]),
    });
    if (problems.count > 0) {
      throw new BadPublishedError(this.#root, "published directory", problems);
    }
  }

  /** @param name such as `standards.json` */
  setDocument(name: string, value: unknown): void {
    this.#documents.set(name, value);
  }

  /** Puts a record in the place of another one. */
  replace({ file, line }: RecordSource, record: JsonRecord): void {
    this.#changesOf(file).lines.set(line, record);
  }

  /** Adds a record at the end of an .ndjson file, which need not exist. */
  append(file: string, record: JsonRecord): void {
    this.#changesOf(file).after.push(record);
  }

  /**
   * Writes all files under unfinished names before the first of them gets its own, so that a full disk changes nothing.
   * @returns the names of the files
   * @throws StoreWriteError
   */
  async write(): Promise<string[]> {
    const written: [unfinished: string, path: string][] = [];
    const put = async (name: string, pieces: Iterable<Uint8Array>) => {
      const path = join(this.#root, name);
      await disk.makeFolder(dirname(path));
      const unfinished = join(dirname(path), unfinishedName(basename(path)));
      written.push([unfinished, path]);
      await disk.writeFile(unfinished, pieces);
    };
    try {
      for (const [name, { lines, after }] of this.#files) {
        await put(name, pieces(join(this.#root, name), lines, after));
      }
      for (const [name, value] of this.#documents) await put(name, [indented(value)]);
      for (const [unfinished, path] of written) await disk.rename(unfinished, path);
    } catch (error) {
      for (const [unfinished] of written) await disk.remove(unfinished);
      throw error;
    }
    return [...this.#files.keys(), ...this.#documents.keys()];
  }

  #changesOf(file: string) {
    const known = this.#files.get(file);
    if (known !== undefined) return known;
    const changes = { lines: new Map<number, JsonRecord>(), after: [] };
    this.#files.set(file, changes);
    return changes;
  }
}

/** The bytes of a file of records after its changes. All other lines stay as they are. */
function* pieces(
  path: string,
  lines: ReadonlyMap<number, JsonRecord>,
  after: readonly JsonRecord[],
): Generator<Uint8Array> {
  const [first] = lines.values();
  if (isOneRecord(path) && first !== undefined) {
    yield indented(first);
    return;
  }
  if (existsSync(path)) {
    const { fd } = openInputFile(path);
    try {
      const read = (into: Buffer) => readBytes(fd, into, null);
      for (const { number, bytes } of readLines(read, READ_BYTES, RECORD_MAX)) {
        const record = lines.get(number);
        yield record === undefined ? Buffer.concat([bytes ?? Buffer.alloc(0), LF]) : lineOf(record);
      }
    } finally {
      closeSync(fd);
    }
  }
  for (const record of after) yield lineOf(record);
}

const READ_BYTES = 1024 * 1024;
const LF = Buffer.from("\n");

function lineOf(record: JsonRecord): Buffer {
  return Buffer.from(`${JSON.stringify(record)}\n`);
}

function indented(value: unknown): Buffer {
  return Buffer.from(`${JSON.stringify(value, null, 2)}\n`);
}
