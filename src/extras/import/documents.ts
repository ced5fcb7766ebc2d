import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { Standards } from "../../contract/standards.js";
import { isObject } from "../../contract/values.js";
import { parseJson } from "../../input/checking/json.js";
import { completeStandards, StandardsRecord, Taxonomy } from "../../input/checking/schemas.js";
import { goodStandards } from "../../input/input.js";
import { readWhole } from "../../input/locating/locate.js";
import { emptyDocuments } from "../../sample/sample.js";
import type { PartialRecord } from "./cells.js";

/** The documents that an import changes. */
export type DocumentName = "taxonomy.json" | "standards.json";

/** The documents of a published directory as an import will leave them. Nothing is written here. */
export class Documents {
  /** Whether there is no published directory yet. */
  readonly isNew: boolean;
  readonly #documents: Map<string, PartialRecord>;
  readonly #changed = new Set<string>();

  private constructor(isNew: boolean, documents: Readonly<Record<string, object>>) {
    this.isNew = isNew;
    const entries = Object.entries(documents);
    this.#documents = new Map(entries.map(([name, document]) => [name, { ...document }]));
    if (isNew) for (const [name] of entries) this.#changed.add(name);
  }

  /**
   * Reads the documents; those of a missing or an empty folder are the ones of `crawldex init`, without what they would
   * state about the publisher's methodology.
   * @throws PublishedFolderError, BadPublishedError
   */
  static async open(published: string): Promise<Documents> {
    if (!existsSync(published) || isEmptyFolder(published)) {
      return new Documents(true, await emptyDocuments());
    }
    goodStandards(published);
    const read = (name: DocumentName): object => {
      const { bytes } = readWhole(join(published, name));
      const json = bytes === null ? null : parseJson(bytes);
      return json !== null && "value" in json && isObject(json.value) ? json.value : {};
    };
    const names: readonly DocumentName[] = ["taxonomy.json", "standards.json"];
    return new Documents(false, Object.fromEntries(names.map((name) => [name, read(name)])));
  }

  get taxonomy(): Taxonomy {
    const { $schema: _, ...taxonomy } = this.#document("taxonomy.json");
    return Taxonomy.parse(taxonomy);
  }

  get standards(): Standards {
    const { $schema: _, ...standards } = this.#document("standards.json");
    return completeStandards(StandardsRecord.parse(standards));
  }

  /** Puts another document in place of one. It must be good. */
  replace(name: DocumentName, document: Readonly<Record<string, unknown>>): void {
    this.#documents.set(name, { ...document });
    this.#changed.add(name);
  }

  /** The objects in a list of a document, as they are written there. */
  entries(name: DocumentName, list: string): readonly Readonly<Record<string, unknown>>[] {
    const entries = this.#document(name)[list];
    return Array.isArray(entries) ? entries.filter(isObject) : [];
  }

  /** Puts another list, or another rubric, in place of one in a document. It must be good. */
  setEntries(name: DocumentName, list: string, entries: object): void {
    this.replace(name, { ...this.#document(name), [list]: entries });
  }

  /** The files to write: the documents that have changed, all of a new directory. */
  get changed(): [file: string, text: string][] {
    return [...this.#changed].map((name) => {
      return [name, `${JSON.stringify(this.#document(name), null, 2)}\n`];
    });
  }

  #document(name: string): PartialRecord {
    return this.#documents.get(name) ?? {};
  }
}

function isEmptyFolder(path: string): boolean {
  try {
    return readdirSync(path).length === 0;
  } catch {
    // Whatever is in its place is reported when the documents are read.
    return false;
  }
}
