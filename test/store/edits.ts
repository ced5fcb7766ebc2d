import { mkdir, rename, rm, utimes, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { recordsBetween } from "../../src/input/locating/record-columns.js";
import { build } from "../../src/publish/build.js";
import { readNotes, writeNotes } from "../../src/publish/notes.js";
import type { BuildOptions } from "../../src/publish/options.js";
import type { PublishedFiles } from "../fixtures.js";
import { aListing, aPublishedDirectory, aScan, writePublished } from "../fixtures.js";
import { builtStore, FOUR, manyListings } from "./trees.js";

type Records = { host: string; band?: string | null }[];

type Rubric = PublishedFiles["standards"]["rubric"];
type StandardsWithFormer = PublishedFiles["standards"] & {
  formerRubrics?: Pick<Rubric, "version" | "bands">[];
};

/** A published directory on disk that is edited step by step: only files that an edit touches are written. */
export class EditedDirectory {
  readonly folder: string;
  readonly documents: Omit<PublishedFiles, "listings" | "scans">;
  /** Records by the files they lie in. */
  readonly files = new Map<string, Records>();
  readonly #pick: (count: number) => number;
  #added = 0;

  /** @param pick a random whole number below `count` */
  constructor(folder: string, pick: (count: number) => number, listings: number) {
    this.folder = folder;
    this.#pick = pick;
    const { directory, standards, taxonomy } = aPublishedDirectory();
    this.documents = { directory, standards, taxonomy };
    for (let n = 0; n < listings; n += 1) this.#add(n % 3);
  }

  async writeAll(): Promise<void> {
    for (const name of ["directory", "standards", "taxonomy"] as const) {
      await this.#write(`${name}.json`, JSON.stringify(this.documents[name]));
    }
    for (const name of this.files.keys()) await this.#writeRecords(name);
  }

  /** Makes one random edit. @returns what it was */
  async edit(): Promise<string> {
    const edits: [string, () => Promise<void>][] = [
      ["add a listing", () => this.#writeAfter(() => this.#add(this.#pick(3)))],
      ["change a listing", () => this.#change("listings", { name: `Name ${this.#pick(1e6)}` })],
      ["make a mistake", () => this.#change("listings", { status: "active" })],
      ["change a scan", () => this.#change("scans", { summary: `Summary ${this.#pick(1e6)}` })],
      ["hide a listing", () => this.#change("listings", { visibility: this.#visibility() })],
      ["change a plan", () => this.#change("listings", this.#plan())],
      ["remove a listing", () => this.#writeAfter(() => [this.#cut("listings")])],
      ["remove a scan", () => this.#writeAfter(() => [this.#cut("scans")])],
      ["rename a file", () => this.#rename()],
      ["move a line to another file", () => this.#writeAfter(() => this.#move())],
      ["reverse the lines of a file", () => this.#writeAfter(() => this.#reverse())],
      ["touch a file", () => this.#writeRecords(this.#fileOf("scans"))],
      ["rename a category", () => this.#document("taxonomy")],
      ["relabel a band", () => this.#document("standards")],
      ["move a band's bounds with the rubric's version", () => this.#rubric()],
      ["describe the directory", () => this.#document("directory")],
    ];
    const [name, edit] = edits[this.#pick(edits.length)]!;
    await edit();
    return name;
  }

  async #writeAfter(edit: () => string[]): Promise<void> {
    for (const name of new Set(edit())) await this.#writeRecords(name);
  }

  #add(file: number): string[] {
    const host = `site-${this.#added}.example`;
    this.#added += 1;
    const names = [`listings/${file}.ndjson`, `scans/${file % 2}/${file}.ndjson`] as const;
    const records = (name: string) => {
      const found = this.files.get(name) ?? [];
      this.files.set(name, found);
      return found;
    };
    const visibility = this.#added % 6 === 0 ? "removed" : "listed";
    records(names[0]).push(aListing({ host, visibility, ...this.#plan() }));
    records(names[1]).push(
      aScan({ host, id: "new", score: this.#pick(101) }),
      ...(this.#pick(2) === 0
        ? [aScan({ host, id: "old", finishedAt: "2025-01-01T00:00:00Z" })]
        : []),
    );
    return [...names];
  }

  #fileOf(kind: string): string {
    const names = [...this.files.keys()].filter(
      (name) => name.startsWith(kind) && this.files.get(name)!.length > 0,
    );
    return names[this.#pick(names.length)]!;
  }

  #change(kind: string, changes: object): Promise<void> {
    return this.#writeAfter(() => {
      const name = this.#fileOf(kind);
      const records = this.files.get(name)!;
      const at = this.#pick(records.length);
      records[at] = { ...records[at]!, ...changes };
      return [name];
    });
  }

  #cut(kind: string): string {
    const name = this.#fileOf(kind);
    const records = this.files.get(name)!;
    records.splice(this.#pick(records.length), 1);
    return name;
  }

  #move(): string[] {
    const kind = this.#pick(2) === 0 ? "listings" : "scans";
    const from = this.#fileOf(kind);
    const to = this.#fileOf(kind);
    const [record] = this.files.get(from)!.splice(0, 1);
    this.files.get(to)!.push(record!);
    return [from, to];
  }

  #reverse(): string[] {
    const name = this.#fileOf("scans");
    this.files.get(name)!.reverse();
    return [name];
  }

  async #rename(): Promise<void> {
    const from = this.#fileOf(this.#pick(2) === 0 ? "listings" : "scans");
    const to = from.replace(/[^/]+$/, `renamed-${this.#pick(1e6)}.ndjson`);
    if (this.files.has(to)) return;
    this.files.set(to, this.files.get(from)!);
    this.files.delete(from);
    await rename(join(this.folder, from), join(this.folder, to));
  }

  #visibility(): string {
    return ["listed", "blocked", "opted-out", "redirected", "removed", "deleted"][this.#pick(6)]!;
  }

  #plan() {
    return { entitlements: { history: this.#pick(2) === 0, fixPrompts: this.#pick(2) } };
  }

  async #rubric(): Promise<void> {
    const standards: StandardsWithFormer = this.documents.standards;
    const { rubric, formerRubrics = [] } = standards;
    const bound = 10 + this.#pick(80);
    const former = structuredClone({ version: rubric.version, bands: rubric.bands });
    rubric.version = `2026.${this.#pick(100)}`;
    // A new store knows only these; another one also remembers what it has published.
    standards.formerRubrics = [
      ...formerRubrics.filter(({ version }) => version !== former.version),
      former,
    ].filter(({ version }) => version !== rubric.version);
    rubric.bands[0]!.max = bound;
    rubric.bands[1]!.min = bound + 1;
    // A scan of another version keeps its own band, and must have one.
    for (const [name, records] of this.files) {
      if (!name.startsWith("scans")) continue;
      for (const [at, record] of records.entries()) records[at] = { ...record, band: null };
      await this.#writeRecords(name);
    }
    await this.#write("standards.json", JSON.stringify(this.documents.standards));
  }

  async #document(name: "directory" | "standards" | "taxonomy"): Promise<void> {
    const { directory, standards, taxonomy } = this.documents;
    const text = `Text ${this.#pick(1e6)}`;
    if (name === "directory") directory.description = text;
    if (name === "standards") standards.rubric.bands[0]!.label = text;
    if (name === "taxonomy") taxonomy.categories![0]!.name = text;
    await this.#write(`${name}.json`, JSON.stringify(this.documents[name]));
  }

  #writeRecords(name: string): Promise<void> {
    return this.#write(
      name,
      this.files
        .get(name)!
        .map((one) => JSON.stringify(one))
        .join("\n"),
    );
  }

  async #write(name: string, text: string): Promise<void> {
    const path = join(this.folder, name);
    await mkdir(dirname(path), { recursive: true });
    // As exporters do: beside, then renamed.
    if (this.#pick(2) === 0) await rm(path, { force: true });
    await writeFile(path, text);
  }
}

/** Makes a store's notes look as if its input had been at rest for long when they were written. */
export async function settle(store: string): Promise<void> {
  const later = Date.now() / 1_000 + 10;
  await utimes(join(store, ".notes"), later, later);
}

/** A store of four segments whose input is long at rest. */
export async function settledStore() {
  const files = manyListings();
  const built = await builtStore(files, FOUR);
  await settle(built.store);
  const published = join(built.folder, "published");
  /** Builds again. @param changes of the directory */
  const again = async (options: BuildOptions = {}, changes: Partial<PublishedFiles> = {}) => {
    if (Object.keys(changes).length > 0) await writePublished(published, { ...files, ...changes });
    return build(published, { store: built.store, ...FOUR, ...options });
  };
  return { ...built, files, published, again };
}

/** Has the notes say that the files of scans have no records at all. */
export async function forgetScans(store: string): Promise<void> {
  const { built, ...notes } = await readNotes(store);
  const scans = built!.scans.map((file) => ({ ...file, records: 0 }));
  const records = { ...built!.records, scans: recordsBetween(built!.records.scans, 0, 0) };
  await writeNotes(store, { ...notes, built: { ...built!, scans, records } });
}
