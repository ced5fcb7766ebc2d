import { join } from "node:path";
import { tableOf } from "../../contract/tables.js";
import { disk } from "../../files/disk.js";
import { TERM_LISTS, type TermList } from "../checking/schemas.js";
import { readWhole } from "../locating/locate.js";
import type { FittedColumns } from "./columns.js";
import { isTerms, slugOf, termListOf, termsIn } from "./columns.js";
import type { Table } from "./table.js";

/** How many terms were added to each list of taxonomy.json. */
export interface AddedTerms {
  /** Of `categories`. */
  readonly categories: number;
  /** Of `tags`. */
  readonly tags: number;
  /** Of `platforms`. */
  readonly platforms: number;
}

const LISTS = TERM_LISTS.map(({ list }) => list);

interface TaxonomyTerm {
  readonly slug: string;
  readonly name: string;
  readonly group?: string;
  readonly order?: number;
}

/**
 * Adds to taxonomy.json the terms that listings name and that it lacks. Their names are as in their first use.
 * @param published the published directory, whose taxonomy.json must be good
 * @throws StoreWriteError
 */
export async function addTerms(
  published: string,
  { rows }: Table,
  { fields }: FittedColumns,
): Promise<AddedTerms> {
  const path = join(published, "taxonomy.json");
  const taxonomy: Partial<Record<TermList, TaxonomyTerm[]>> = JSON.parse(
    String(readWhole(path).bytes),
  );
  const added = tableOf(LISTS, () => 0);
  for (const [column, field] of fields) {
    const list = termListOf(field);
    if (list === undefined) continue;
    const terms = rows.flatMap(({ cells }) => {
      const cell = cells.get(column);
      return isTerms(cell) ? termsIn(list, cell) : [];
    });
    const known = taxonomy[list] ?? [];
    const fresh = newTerms(terms, known, list);
    taxonomy[list] = [...known, ...fresh];
    added[list] = fresh.length;
  }
  if (LISTS.some((list) => added[list] > 0)) {
    await disk.writeFile(path, Buffer.from(`${JSON.stringify(taxonomy, null, 2)}\n`));
  }
  return added;
}

function newTerms(
  names: readonly string[],
  known: readonly TaxonomyTerm[],
  list: TermList,
): TaxonomyTerm[] {
  const slugs = new Set(known.map(({ slug }) => slug));
  const fresh: TaxonomyTerm[] = [];
  for (const name of names) {
    const slug = slugOf(name);
    if (slug === "" || slugs.has(slug)) continue;
    slugs.add(slug);
    const order = slugs.size;
    fresh.push({ slug, name, ...(list !== "platforms" && { group: "imported", order }) });
  }
  return fresh;
}
