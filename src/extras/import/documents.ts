import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { Standards } from "../../contract/standards.js";
import { isObject } from "../../contract/values.js";
import { parseJson } from "../../input/checking/json.js";
import { templateNotices } from "../../input/checking/rules.js";
import { completeStandards, StandardsRecord, Taxonomy } from "../../input/checking/schemas.js";
import { goodStandards } from "../../input/input.js";
import { readWhole } from "../../input/locating/locate.js";
import { emptyDocuments } from "../../sample/sample.js";

/** The documents that an import changes. */
export type DocumentName = "taxonomy.json" | "standards.json";

/** A record or a document that may lack fields. */
export type PartialRecord = Record<string, unknown>;

/** The documents of a published directory as an import will leave them. Nothing is written here. */
export class Documents {
  /** Whether there is no published directory yet. */
  readonly isNew: boolean;
  readonly #documents: Map<string, object>;
  readonly #changed: Set<string>;

  private constructor(isNew: boolean, documents: Readonly<Record<string, object>>) {
    this.isNew = isNew;
    this.#documents = new Map(Object.entries(documents));
    this.#changed = new Set(isNew ? this.#documents.keys() : []);
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
    const names: readonly DocumentName[] = ["taxonomy.json", "standards.json"];
    const read = names.map((name) => {
      const { bytes } = readWhole(join(published, name));
      const json = bytes === null ? {} : parseJson(bytes);
      return [name, "value" in json && isObject(json.value) ? json.value : {}];
    });
    return new Documents(false, Object.fromEntries(read));
  }

  get taxonomy(): Taxonomy {
    const { $schema: _, ...taxonomy } = this.#document("taxonomy.json");
    return Taxonomy.parse(taxonomy);
  }

  get standards(): Standards {
    const { $schema: _, ...standards } = this.#document("standards.json");
    return completeStandards(StandardsRecord.parse(standards));
  }

  /** Whether a part of standards.json is still the one that `crawldex init` writes. */
  hasTemplate(part: "rubric" | "checks"): boolean {
    const { [part]: written } = this.#document("standards.json");
    return [...templateNotices("standards.json")({ [part]: written })].length > 0;
  }

  /** The objects in a list of a document, as they are written there. */
  entries(name: DocumentName, list: string): readonly Readonly<PartialRecord>[] {
    const entries = this.#document(name)[list];
    return Array.isArray(entries) ? entries.filter(isObject) : [];
  }

  /** Puts other members in place of some of a document. They must be good. */
  change(name: DocumentName, members: Readonly<PartialRecord>): void {
    this.replace(name, { ...this.#document(name), ...members });
  }

  /** Puts another document in place of one. It must be good. */
  replace(name: DocumentName, document: object): void {
    this.#documents.set(name, document);
    this.#changed.add(name);
  }

  /** The files to write: the documents that have changed, all of a new directory. */
  get changed(): [file: string, text: string][] {
    return [...this.#changed].map((name) => {
      return [name, `${JSON.stringify(this.#document(name), null, 2)}\n`];
    });
  }

  #document(name: string): Readonly<PartialRecord> {
    return { ...this.#documents.get(name) };
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
