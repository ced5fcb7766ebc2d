import { percentDecoded } from "../../contract/host.js";
import { LIMITS } from "../../contract/limits.js";
import type { Engine } from "../../engine/engine.js";
import { andThen, type Soon } from "../../engine/soon.js";
import type { ErrorSuggestions } from "../../pages/kit/error-page.js";
import type { SnapshotView } from "./content.js";
import { meantHost, originForm } from "./routing.js";

/* Where the page of an error leads: what the visitor was probably looking for, found in the address. */

/** How deep an address may be for its error page. The page's links repeat `../` for each level. */
const LEVELS_MAX = 16;
/** What a file's name may end in that no host ends in. */
const FILE_END = /\.(?:html?|php|aspx?|json|xml|txt)$/i;

/**
 * The way on from an address.
 * @param target the request target as sent: the browser resolves the page's links against it
 * @param snapshot null if there is none to look for sites in
 * @param latest see `ErrorSuggestions`
 * @returns null if the address is too deep for a page
 */
export function errorSuggestionsFrom(
  target: string,
  snapshot: SnapshotView | null,
  latest: string | null,
): Soon<ErrorSuggestions | null> {
  const [path = ""] = originForm(target).split("?", 1);
  const segments = path.split("/").slice(1);
  if (segments.length > LEVELS_MAX) return null;
  const text = soughtText(segments);
  const root = "../".repeat(segments.length - 1);
  const name = snapshot?.directory.name ?? "";
  const nearest =
    latest !== null || snapshot === null
      ? []
      : andThen(snapshot.engine, (engine) => nearestHosts(text, engine));
  return andThen(nearest, (hosts) => ({ root, name, text, nearest: hosts, latest }));
}

/** The words of an address, or its host: of `/sites/exmaple.com` "exmaple.com", of `/some-page` "some page". */
export function soughtText(segments: readonly string[]): string {
  const [first, second, ...more] = segments.map((one) => percentDecoded(one) ?? "");
  const isSite = first === "sites" && second !== undefined;
  const last = [first, second, ...more].findLast((one) => one !== undefined && one !== "") ?? "";
  const part = isSite ? second : last.replace(FILE_END, "");
  const host = part.includes(".") ? meantHost(part) : null;
  const words = host ?? part.replace(/[^\p{L}\p{M}\p{N}.]+/gu, " ").trim();
  return [...words].slice(0, LIMITS.queryTextMax).join("").trim();
}

/** The hosts that a text is likely to mean, at most five. If the whole text finds none, its longest word is looked up. */
async function nearestHosts(text: string, engine: Engine): Promise<string[]> {
  const found = await hostsFor(text, engine);
  if (found.length > 0) return found;
  const [longest = text] = text.split(/[ .-]+/).sort((one, other) => other.length - one.length);
  return longest === text ? [] : hostsFor(longest, engine);
}

/** The hosts that are suggested for a text, or else those that a search finds with it or with its first correction. */
async function hostsFor(text: string, engine: Engine): Promise<string[]> {
  if ([...text].length < LIMITS.suggestionTextMin) return [];
  const suggested: Listed = read(await engine.suggest({ q: text }));
  if (suggested.data.length > 0) return hostsOf(suggested);
  const search = async (q: string): Promise<Listed> =>
    read(await engine.search({ q, sort: "score", page: 1, limit: LIMITS.suggestionsMax }));
  const found = await search(text);
  const [meant] = found.didYouMean ?? [];
  return hostsOf(found.data.length > 0 || meant === undefined ? found : await search(meant));
}

interface Listed {
  readonly data: readonly { readonly host: string }[];
  readonly didYouMean?: readonly string[];
}

const hostsOf = ({ data }: Listed) => data.map(({ host }) => host);
const decoder = new TextDecoder();
const read = (bytes: Uint8Array): Listed => JSON.parse(decoder.decode(bytes));
