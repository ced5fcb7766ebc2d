import { oneLine } from "../kit/escape.js";
import { counted } from "../kit/words.js";
import { addressOf, type SearchState } from "./search-state.js";

/**
 * What a window with a state of the explorer is called.
 * @param total sites that are found; null where nobody has searched
 * @param name the directory's
 */
export function searchTitle(state: SearchState, total: number | null, name: string): string {
  if (total === null || addressOf(state) === "") {
    return `${name}: how readable websites are to AI crawlers`;
  }
  const { q, page } = state;
  const about = q === "" ? counted(total, "site") : `“${oneLine(q)}”`;
  return `${about}${page > 1 ? `, page ${page}` : ""} · ${name}`;
}

/** The address of what a state finds in JSON, relative to `/`. */
export function searchJson(state: SearchState): string {
  return `api/sites${addressOf(state)}`;
}
