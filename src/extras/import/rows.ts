import { isDeepStrictEqual } from "node:util";
import type { CheckDescription } from "../../contract/standards.js";
import { breaches } from "../../input/checking/breaches.js";
import type { ProblemCode } from "../../input/checking/codes.js";
import {
  describeValue,
  didYouMean,
  type Finding,
  formatPath,
  type ProblemList,
} from "../../input/checking/problem.js";
import { TERM_LISTS, type TermList } from "../../input/checking/schemas.js";
import type { RecordKind } from "../../input/locating/files.js";
import {
  addressIn,
  cellValue,
  hostIn,
  isEmptyCell,
  lossesIn,
  NULL_LIKE,
  type PartialRecord,
} from "./cells.js";
import { checkOf, checkResult, draftedCheck, setValue } from "./checks.js";
import { type ColumnField, type FittedColumns, fieldNamed, SCHEMAS } from "./columns.js";
import type { Documents } from "./documents.js";
import type { IncomingRecord, Tally } from "./placing.js";
import type { ImportRow, Table } from "./table.js";
import { type Place, Terms, termListOf } from "./terms.js";

/** A table whose columns fit a kind. */
export interface FittedTable {
  /** The name of its file. */
  readonly name: string;
  /** The file of the published directory that its new records are in. */
  readonly target: string;
  readonly table: Table;
  readonly columns: FittedColumns;
  readonly tally: Tally;
}

/** The value of a field in a row; undefined if its cell is empty. */
interface FieldValue {
  readonly field: ColumnField;
  readonly value: unknown;
}

/** What every row of a table of entries must have, and the document and the list that have them. */
const ENTRY_HOMES = {
  categories: ["slug", "taxonomy.json", "categories"],
  tags: ["slug", "taxonomy.json", "tags"],
  platforms: ["slug", "taxonomy.json", "platforms"],
  checks: ["id", "standards.json", "checks"],
} as const;
export type EntryKind = keyof typeof ENTRY_HOMES;

/** Reads the rows of tables, and collects what there is to say about them. */
export class Rows {
  /** By field: what required fields got where the tables have no value. Those of listings and of scans may differ. */
  readonly filled = new Map<string, Set<string>>();
  /** The ids of the checks that standards.json gets because scans have results of them. */
  readonly drafted: string[] = [];
  readonly warnings: string[] = [];
  readonly terms: ReadonlyMap<TermList, Terms>;
  readonly #documents: Documents;
  readonly #problems: ProblemList;
  readonly #empty: readonly string[];
  readonly #isUpdate: boolean;
  readonly #version: string;
  #checks: ReadonlyMap<string, CheckDescription> = new Map();

  /**
   * @param problems receives what is wrong with rows
   * @param empty words that stand for an empty cell
   */
  constructor(
    documents: Documents,
    problems: ProblemList,
    { empty, isUpdate }: { readonly empty: readonly string[]; readonly isUpdate: boolean },
  ) {
    const { taxonomy } = documents;
    this.#documents = documents;
    this.#problems = problems;
    this.#empty = empty;
    this.#isUpdate = isUpdate;
    this.#version = documents.standards.rubric.version;
    this.terms = new Map(TERM_LISTS.map(({ list }) => [list, new Terms(list, taxonomy[list])]));
  }

  /** Checks the ids of the columns of results. If standards.json has no check at all, they become its checks. */
  learnChecks(tables: readonly FittedTable[]): void {
    const known = this.#documents.standards.checks.map(({ id }) => id);
    const drafts: PartialRecord[] = [];
    for (const { name, columns } of tables) {
      for (const field of columns.fields.values()) {
        const id = checkOf(field);
        if (id === undefined || known.includes(id) || this.drafted.includes(id)) continue;
        const draft = draftedCheck(id);
        const [fault] = breaches(SCHEMAS.checks, draft);
        const unknown = `is no check of standards.json${didYouMean(id, known)}`;
        const message = known.length > 0 ? unknown : fault?.message;
        if (message === undefined) {
          drafts.push(draft);
          this.drafted.push(id);
        } else this.#wrong({ file: name, line: 1 }, `$.${field.name}`, message);
      }
    }
    if (drafts.length > 0) this.#documents.setEntries("standards.json", "checks", drafts);
    const { checks } = this.#documents.standards;
    this.#checks = new Map(checks.map((check) => [check.id, check]));
  }

  /** The records of a table of listings or scans. */
  recordsIn(fitted: FittedTable): IncomingRecord[] {
    const { target, columns, tally } = fitted;
    const kind: RecordKind = columns.kind === "scans" ? "scans" : "listings";
    return this.#filledRows(fitted).map(({ row, place }): IncomingRecord => {
      const values = this.#valuesOf(row, columns, place);
      const given = (key: string) => values.find(({ field }) => field.name === key)?.value;
      if (columns.isHostInUrl) this.#takeHost(values, columns);
      if (kind === "scans" && given("id") === undefined) {
        const digits = String(given("finishedAt")).replace(/\D+/g, "-").replace(/-$/, "");
        values.push({ field: fieldNamed("scans", "id"), value: `scan-${digits}` });
        this.#fill("id", "from finishedAt");
      }
      const hostColumn = [...columns.fields].find(([, field]) => field.name === "host")?.[0] ?? "";
      return {
        ...place,
        kind,
        host: String(given("host") ?? ""),
        id: kind === "scans" ? String(given("id")) : "",
        target,
        ifKnown: this.#isUpdate ? "update" : "refuse",
        tally,
        apply: (known) => {
          const record = { ...known };
          for (const { field, value } of values) setValue(record, field, value);
          if (kind === "scans") this.#completeScan(record);
          else this.#completeListing(record, String(row.cells.get(hostColumn) ?? "").trim());
          return record;
        },
      };
    });
  }

  /** Puts the entries of a table into taxonomy.json or standards.json. */
  placeEntries(fitted: FittedTable, kind: EntryKind): void {
    const { columns, tally } = fitted;
    const [key, document, list] = ENTRY_HOMES[kind];
    const entries: PartialRecord[] = [...this.#documents.entries(document, list)];
    const places = new Map<unknown, Place | number>(entries.map((entry, at) => [entry[key], at]));
    for (const { row, place } of this.#filledRows(fitted)) {
      const values = this.#valuesOf(row, columns, place);
      const id = values.find(({ field }) => field.name === key)?.value;
      const known = places.get(id);
      const before = typeof known === "number" ? entries[known] : undefined;
      const entry = { ...before };
      for (const { field, value } of values) setValue(entry, field, value);
      this.#completeEntry(entry, kind, entries.length + 1);
      this.#say(place, breaches(SCHEMAS[kind], entry));
      if (typeof known === "object") {
        const first = `${known.file}:${known.line}`;
        this.#wrong(place, `$.${key}`, `is ${id} a second time; the first is ${first}`);
      } else if (typeof known !== "number") {
        places.set(id, place);
        entries.push(entry);
        tally.added += 1;
      } else if (!this.#isUpdate) {
        const message = `${id} is in ${document} already; --update changes it`;
        this.#wrong(place, `$.${key}`, message);
      } else {
        places.set(id, place);
        entries[known] = entry;
        if (isDeepStrictEqual(entry, before)) tally.unchanged += 1;
        else tally.updated += 1;
      }
    }
    if (tally.added + tally.updated === 0 || this.#problems.count > 0) return;
    this.#documents.setEntries(document, list, entries);
  }

  /** Puts the terms that listings name into taxonomy.json. Their names are as in their first use. */
  placeTerms(): void {
    for (const [list, { added }] of this.terms) {
      if (added.length === 0) continue;
      const known = this.#documents.entries("taxonomy.json", list);
      const terms = added.map(({ slug, name }, at) => {
        const entry: PartialRecord = { slug, name };
        this.#completeEntry(entry, list, known.length + at + 1, false);
        return entry;
      });
      this.#documents.setEntries("taxonomy.json", list, [...known, ...terms]);
    }
  }

  /** The rows with a value, and a warning for each column with words that may mean that there is none. */
  #filledRows({ name, table, columns }: FittedTable): { row: ImportRow; place: Place }[] {
    const isEmpty = (cell: unknown) => isEmptyCell(cell, this.#empty);
    const rows = table.rows.filter(({ cells }) =>
      [...cells.values()].some((cell) => !isEmpty(cell)),
    );
    for (const [column, field] of columns.fields) {
      const found = new Map<string, number>();
      for (const { cells } of rows) {
        const cell = cells.get(column);
        const word = typeof cell === "string" ? cell.trim() : "";
        if (!NULL_LIKE.includes(word) || isEmpty(cell)) continue;
        if (checkOf(field) === undefined) found.set(word, (found.get(word) ?? 0) + 1);
      }
      if (found.size === 0) continue;
      const words = [...found].map(([word, count]) => `${count} times ${word}`).join(", ");
      const remedy = [...found.keys()].map((word) => `--null ${word}`).join(" ");
      this.warnings.push(
        `${name}: column ${column} has ${words}, which is kept as text; if it means no value, use ${remedy}`,
      );
    }
    return rows.map((row) => ({ row, place: { file: name, line: row.line } }));
  }

  #valuesOf({ cells }: ImportRow, { fields }: FittedColumns, place: Place): FieldValue[] {
    return [...fields].flatMap(([column, field]) => {
      if (!cells.has(column)) return [];
      const cell = cells.get(column);
      const value = isEmptyCell(cell, this.#empty) ? undefined : this.#valueOf(field, cell, place);
      return [{ field, value }];
    });
  }

  #valueOf(field: ColumnField, cell: unknown, place: Place): unknown {
    const path = `$.${field.name}`;
    const terms = this.terms.get(termListOf(field) ?? "categories");
    const say = (message: string) => this.#wrong(place, path, message);
    if (termListOf(field) !== undefined && terms !== undefined) {
      const slugs = terms.slugsIn(cell, place, say);
      return terms.list === "categories" ? slugs[0] : slugs;
    }
    const id = checkOf(field);
    if (id === undefined) {
      this.#say(place, lossesIn(field, cell));
      return cellValue(field, cell);
    }
    const check = this.#checks.get(id);
    const result = check && checkResult(check, cell);
    if (result === null) say(`found ${describeValue(cell)}, expected pass, warn, fail or na`);
    return result ?? undefined;
  }

  /** Takes the host from the address of the site. */
  #takeHost(values: FieldValue[], { fields, kind }: FittedColumns): void {
    const at = values.findIndex(({ field }) => field.name === "url");
    const given = values[at];
    if (given === undefined || given.value === undefined) return;
    const text = String(given.value);
    const host = hostIn(text) ?? text;
    const column = [...fields].find(([, field]) => field.name === "url")?.[0];
    values[at] = { field: given.field, value: addressIn(text, host) ?? `https://${host}/` };
    values.push({ field: fieldNamed(kind, "host"), value: host });
    this.#fill("host", `from the ${column} column`);
  }

  /** @param hostText the host as the table has it, which may be an address; empty if it has none */
  #completeListing(record: PartialRecord, hostText: string): void {
    if (record.url === undefined && record.host !== undefined) {
      const host = String(record.host);
      record.url = (hostText === "" ? null : addressIn(hostText, host)) ?? `https://${host}/`;
      this.#fill("url", "from the host column");
    }
    this.#complete(record, "status", "unclaimed");
  }

  #completeScan(record: PartialRecord): void {
    this.#complete(record, "status", "complete");
    if (typeof record.score !== "number" || record.scoreVersion !== undefined) return;
    record.scoreVersion = this.#version;
    this.#fill("scoreVersion", `the rubric's, ${JSON.stringify(this.#version)}`);
  }

  /** @param order the position of the entry in its list, counted from 1 */
  #completeEntry(entry: PartialRecord, kind: EntryKind, order: number, isSaid = true): void {
    const usual: PartialRecord =
      kind === "checks"
        ? { kind: Number(entry.maxPoints ?? 0) > 0 ? "achievement" : "capability", maxPoints: 0 }
        : kind === "platforms"
          ? {}
          : { group: "imported", order };
    for (const [field, value] of Object.entries(usual)) {
      if (isSaid) this.#complete(entry, field, value);
      else entry[field] ??= value;
    }
  }

  #complete(record: PartialRecord, field: string, value: unknown): void {
    if (record[field] !== undefined) return;
    record[field] = value;
    const isOrder = field === "order";
    this.#fill(field, isOrder ? "as the rows are ordered" : JSON.stringify(value));
  }

  #fill(field: string, from: string): void {
    this.filled.set(field, (this.filled.get(field) ?? new Set()).add(from));
  }

  #say(place: Place, findings: Iterable<Finding>): void {
    for (const { code, path, message } of findings) {
      this.#wrong(place, formatPath(path), message, code);
    }
  }

  #wrong(place: Place, path: string, message: string, code: ProblemCode = "table-wrong"): void {
    this.#problems.add([{ code, ...place, column: 1, path, message }]);
  }
}
