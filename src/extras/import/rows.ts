import type { Standards } from "../../contract/standards.js";
import { isObject } from "../../contract/values.js";
import { breaches } from "../../input/checking/breaches.js";
import {
  describeValue,
  didYouMean,
  type Finding,
  formatPath,
} from "../../input/checking/problem.js";
import { TERM_LISTS, type TermList } from "../../input/checking/schemas.js";
import { addressIn, cellValue, hostIn, isEmptyCell, NULL_LIKE, setField } from "./cells.js";
import { draftedCheck, outcomeIn, resultOf } from "./checks.js";
import { checkOf, type Field, type FittedTable, KINDS } from "./columns.js";
import type { Documents, PartialRecord } from "./documents.js";
import type { TableKind } from "./options.js";
import type { ImportWork, IncomingRecord } from "./placing.js";
import type { ImportRow } from "./table.js";
import { type Place, Terms } from "./terms.js";

/** Reads the rows of tables, and collects what there is to say about them. */
export class Rows {
  /** By field: what required fields got where the tables have no value. Those of listings and of scans may differ. */
  readonly filled = new Map<string, Set<string>>();
  /** The ids of the checks that standards.json gets because scans have results of them. */
  readonly drafted: readonly string[];
  readonly warnings: string[] = [];
  readonly terms: ReadonlyMap<TermList, Terms>;
  readonly #work: ImportWork;
  readonly #standards: Standards;

  /** If standards.json has no check at all, it gets those of the tables' columns. */
  constructor(work: ImportWork, tables: readonly FittedTable[]) {
    const { documents } = work;
    const { taxonomy } = documents;
    this.#work = work;
    this.terms = new Map(TERM_LISTS.map(({ list }) => [list, new Terms(list, taxonomy[list])]));
    this.drafted = this.#draftChecks(documents, tables);
    this.#standards = documents.standards;
  }

  /** The records of a table, or its entries. */
  recordsIn(table: FittedTable): IncomingRecord[] {
    const { name, kind, fields, target, tally } = table;
    const rows = table.rows.filter(({ cells }) =>
      [...cells.values()].some((cell) => !this.#isEmpty(cell)),
    );
    this.#warnOfNullLike(table, rows);
    const columns = new Map([...fields].map(([column, field]) => [field.name, column]));
    return rows.map(({ line, cells }): IncomingRecord => {
      const place = { file: name, line };
      const values = new Map<string, unknown>();
      for (const [column, field] of fields) {
        if (cells.has(column)) this.#read(field, cells.get(column), place, values);
      }
      const url = values.get("url");
      if (kind === "listings" && !columns.has("host") && url !== undefined) {
        // The host is taken from the address of the site.
        const host = hostIn(String(url)) ?? String(url);
        values.set("url", addressIn(String(url), host)).set("host", host);
        this.#tell("host", `from the ${columns.get("url")} column`);
      }
      if (kind === "scans" && values.get("id") === undefined) {
        const digits = String(values.get("finishedAt")).replace(/\D+/g, "-").replace(/-$/, "");
        values.set("id", `scan-${digits}`);
        this.#tell("id", "from finishedAt");
      }
      const hostText = String(cells.get(columns.get("host") ?? "") ?? "").trim();
      return {
        ...place,
        kind,
        key: KINDS[kind].keys.map((key) => String(values.get(key) ?? "")),
        target,
        ifKnown: this.#work.update ? "update" : "refuse",
        tally,
        apply: (known, order) => {
          const record = { ...known };
          for (const [field, value] of values) setValue(record, field, value);
          this.#complete(record, kind, hostText, order);
          return record;
        },
      };
    });
  }

  /** Puts the terms that listings name into taxonomy.json. Their names are as in their first use. */
  placeTerms(): void {
    const { documents } = this.#work;
    for (const [list, { added }] of this.terms) {
      const known = documents.entries("taxonomy.json", list);
      const terms = added.map(({ slug, name }, at) => {
        const order = known.length + at + 1;
        return { slug, name, ...(list !== "platforms" && { group: "imported", order }) };
      });
      if (terms.length > 0) documents.change("taxonomy.json", { [list]: [...known, ...terms] });
    }
  }

  /** Checks the ids of the columns of results. @returns those of new checks */
  #draftChecks(documents: Documents, tables: readonly FittedTable[]): string[] {
    const known = documents.standards.checks.map(({ id }) => id);
    const drafts = new Map<string, object>();
    for (const { name: file, line, fields } of tables) {
      for (const { name } of fields.values()) {
        const id = checkOf(name);
        if (id === undefined || known.includes(id) || drafts.has(id)) continue;
        const words = id.replace(/[-_]+/g, " ").trim();
        const draft = draftedCheck(id, words.charAt(0).toUpperCase() + words.slice(1), 0);
        const [fault] = breaches(KINDS.checks.schema, draft);
        const unknown = `is no check of standards.json${didYouMean(id, known)}`;
        const message = known.length > 0 ? unknown : fault?.message;
        if (message === undefined) drafts.set(id, draft);
        else this.#wrong({ file, line }, `$.${name}`, message);
      }
    }
    if (drafts.size > 0) documents.change("standards.json", { checks: [...drafts.values()] });
    return [...drafts.keys()];
  }

  /** Warns of each column with words that may mean that there is no value. */
  #warnOfNullLike({ name, fields }: FittedTable, rows: readonly ImportRow[]): void {
    for (const [column, field] of fields) {
      if (checkOf(field.name) !== undefined) continue;
      const found = new Map<string, number>();
      for (const { cells } of rows) {
        const cell = cells.get(column);
        const word = typeof cell === "string" ? cell.trim() : "";
        if (!NULL_LIKE.includes(word) || this.#isEmpty(cell)) continue;
        found.set(word, (found.get(word) ?? 0) + 1);
      }
      if (found.size === 0) continue;
      const times = (count: number) => (count === 1 ? "1 time" : `${count} times`);
      const words = [...found].map(([word, count]) => `${times(count)} ${word}`).join(", ");
      const remedy = [...found.keys()].map((word) => `--null ${word}`).join(" ");
      this.warnings.push(
        `${name}: column ${column} has ${words}, which is kept as text; if it means no value, use ${remedy}`,
      );
    }
  }

  /** Reads a cell. @param values receives the values of the field, or of its members if the cell is an object */
  #read(field: Field, cell: unknown, place: Place, values: Map<string, unknown>): void {
    const { name, members } = field;
    const value = this.#isEmpty(cell) ? undefined : this.#valueOf(field, cell, place);
    const inner = members.size > 0 && isObject(value) ? Object.entries(value) : [];
    if (inner.length === 0) values.set(name, value);
    for (const [key, one] of inner) {
      const member = members.get(key);
      if (member === undefined || (one === null && member.isNullable)) {
        values.set(`${name}.${key}`, one);
      } else this.#read(member, one, place, values);
    }
  }

  #valueOf(field: Field, cell: unknown, place: Place): unknown {
    const { name } = field;
    const say = (message: string) => this.#wrong(place, `$.${name}`, message);
    const terms = TERM_LISTS.find(({ key }) => key === name);
    if (terms !== undefined) {
      const slugs = this.terms.get(terms.list)?.slugsIn(cell, place, say);
      return name === "category" ? slugs?.[0] : slugs;
    }
    const id = checkOf(name);
    if (id === undefined) {
      return cellValue(field, cell, ({ code, path, message }) => {
        this.#wrong(place, formatPath(path), message, code);
      });
    }
    const check = this.#standards.checks.find((one) => one.id === id);
    if (check === undefined) return undefined;
    const outcome = outcomeIn(cell, check);
    if (outcome !== null) return resultOf(check, outcome);
    say(`found ${describeValue(cell)}, expected pass, warn, fail or na`);
    return undefined;
  }

  /**
   * Fills required fields.
   * @param hostText the host as the table has it, which may be an address; empty if it has none
   */
  #complete(record: PartialRecord, kind: TableKind, hostText: string, order: number): void {
    const fill = (field: string, value: unknown, from = JSON.stringify(value)) => {
      if (record[field] !== undefined) return;
      record[field] = value;
      this.#tell(field, from);
    };
    const { host, score, maxPoints } = record;
    const { version } = this.#standards.rubric;
    if (kind === "listings") {
      if (host !== undefined) {
        fill("url", addressIn(hostText, String(host)), "from the host column");
      }
      fill("status", "unclaimed");
    } else if (kind === "scans") {
      fill("status", "complete");
      if (typeof score !== "number") return;
      fill("scoreVersion", version, `the rubric's, ${JSON.stringify(version)}`);
    } else if (kind === "checks") {
      fill("kind", Number(maxPoints ?? 0) > 0 ? "achievement" : "capability");
      fill("maxPoints", 0);
    } else if (kind !== "platforms") {
      fill("group", "imported");
      fill("order", order, "as the rows are ordered");
    }
  }

  #isEmpty(cell: unknown): boolean {
    return isEmptyCell(cell, this.#work.null ?? []);
  }

  #tell(field: string, from: string): void {
    this.filled.set(field, (this.filled.get(field) ?? new Set()).add(from));
  }

  #wrong(place: Place, path: string, message: string, code: Finding["code"] = "table-wrong") {
    this.#work.problems.add([{ code, ...place, column: 1, path, message }]);
  }
}

/** Writes the value of any field into a record; the result of a check goes into the list of them. */
function setValue(record: PartialRecord, field: string, value: unknown): void {
  const id = checkOf(field);
  if (id === undefined) {
    setField(record, field, value);
    return;
  }
  const checks: unknown[] = Array.isArray(record.checks) ? [...record.checks] : [];
  const at = checks.findIndex((one) => isObject(one) && one.checkId === id);
  if (at >= 0) checks.splice(at, 1, ...(value === undefined ? [] : [value]));
  else if (value !== undefined) checks.push(value);
  if (checks.length > 0 || record.checks !== undefined) record.checks = checks;
}
