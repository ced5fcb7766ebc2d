import { foldText } from "../contract/order.js";
import "./copy.js";
import "./register.js";
import "./search-key.js";
import { Debounce } from "./timing.js";

/*
 * The search on the methodology page. It hides checks and crawlers that do not contain every word. Without a script,
 * all of them are visible. The address holds the words, so that readers can share the result.
 */

const FILTER_PAUSE_MS = 150;

const pause = new Debounce(FILTER_PAUSE_MS);
const input = document.querySelector<HTMLInputElement>("#words");
const told = document.querySelector("#told");
const items = [...document.querySelectorAll<HTMLElement>("[data-found]")].map((item) => ({
  item,
  text: foldText(item.textContent ?? ""),
}));

function showMatching(text: string): void {
  const words = foldText(text).split(/\s+/).filter(Boolean);
  let shown = 0;
  for (const { item, text: inside } of items) {
    item.hidden = !words.every((word) => inside.includes(word));
    if (!item.hidden) shown += 1;
  }
  for (const section of document.querySelectorAll<HTMLElement>("section[data-searched]")) {
    section.hidden =
      words.length > 0 && section.querySelector("[data-found]:not([hidden])") === null;
    const link = document.querySelector<HTMLElement>(`.contents a[href="#${section.id}"]`);
    if (link?.parentElement) link.parentElement.hidden = section.hidden;
  }
  if (told !== null) {
    told.textContent = words.length === 0 ? "" : `${shown} of ${items.length} checks and crawlers`;
  }
}

/** Writes the words into the address. */
function writeAddress(text: string): void {
  const q = text.trim();
  const query = q === "" ? "" : `?${new URLSearchParams({ q })}`;
  history.replaceState(null, "", location.pathname + query + location.hash);
}

/** The decoded hash of the address; "" if it is not decodable. */
function pointedTo(): string {
  try {
    return decodeURIComponent(location.hash.slice(1));
  } catch {
    return "";
  }
}

/** Unfolds the item that the address points to. If the search hides the item, the search is cleared. */
function reveal(): void {
  const id = pointedTo();
  const target = id === "" ? null : document.getElementById(id);
  const item = target?.closest<HTMLElement>("[data-found]");
  if (!item) return;
  if (item.hidden && input !== null) {
    pause.end();
    input.value = "";
    showMatching("");
    writeAddress("");
  }
  for (const one of item.querySelectorAll<HTMLDetailsElement>("details")) {
    one.open = true;
  }
  item.scrollIntoView();
}

if (input !== null) {
  input.addEventListener("input", () =>
    pause.run(() => {
      showMatching(input.value);
      writeAddress(input.value);
    }),
  );
  input.value = new URLSearchParams(location.search).get("q") ?? "";
  showMatching(input.value);
}
addEventListener("hashchange", reveal);
reveal();
