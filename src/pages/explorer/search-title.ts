import { oneLine } from "../kit/escape.js";
import { counted } from "../kit/words.js";
import { addressOf, isStart, type SearchState, searchOf } from "./search-state.js";

/**
 * The window title for a state of the explorer.
 * @param total the number of sites found
 * @param name the directory's name
 */
export function searchTitle(state: SearchState, total: number, name: string): string {
  if (isStart(state)) {
    return `${name}: how readable websites are to AI crawlers`;
  }
  const { q, page } = state;
  const about = q === "" ? counted(total, "site") : `“${oneLine(q)}”`;
  return `${about}${page > 1 ? `, page ${page}` : ""} · ${name}`;
}

/** The address of a state's search results as JSON, relative to `/`. */
export function searchJson(state: SearchState): string {
  if (!isStart(state)) return `api/sites${addressOf(state)}`;
  const { sort, limit } = searchOf(state);
  return `api/sites?sort=${sort}&limit=${limit}`;
}
