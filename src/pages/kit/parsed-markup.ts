import type { Html } from "./html.js";

/** An element of markup, with its content. Scripts create elements and text nodes from it. */
export interface MarkupElement {
  readonly tag: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: MarkupNode[];
}

/** An element, or a text. */
export type MarkupNode = MarkupElement | string;

/** Elements without an end tag. */
const VOID = ["input", "img", "wbr"];
const ENTITIES: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#39;": "'",
};

/**
 * Parses markup that `html` has made: its texts and attribute values contain neither `<` nor `>`. Searching for these
 * two costs a third of a pattern for tags.
 */
export function parseMarkup({ markup }: Html): MarkupNode[] {
  const open: MarkupNode[][] = [[]];
  for (let at = 0; at < markup.length; ) {
    const children = open.at(-1);
    const start = markup.indexOf("<", at);
    const text = markup.slice(at, start < 0 ? markup.length : start);
    if (text !== "") children?.push(plainText(text));
    if (start < 0) break;
    const end = markup.indexOf(">", start);
    at = end + 1;
    if (markup[start + 1] === "/") {
      open.pop();
      continue;
    }
    const isEmpty = markup[end - 1] === "/";
    const inside = markup.slice(start + 1, isEmpty ? end - 1 : end);
    const [tag = ""] = inside.split(" ", 1);
    const element: MarkupElement = {
      tag,
      attributes: attributesIn(inside.slice(tag.length)),
      children: [],
    };
    children?.push(element);
    if (!isEmpty && !VOID.includes(tag)) open.push(element.children);
  }
  return open[0] ?? [];
}

const NONE: MarkupElement["attributes"] = new Map();

/** Names with values in double quotes, and names alone. */
function attributesIn(given: string): MarkupElement["attributes"] {
  if (given === "") return NONE;
  const attributes = new Map<string, string>();
  for (let at = 0; at < given.length; ) {
    while (given[at] === " ") at += 1;
    const value = given.indexOf('="', at);
    const space = given.indexOf(" ", at);
    const isAlone = value < 0 || (space >= 0 && space < value);
    if (isAlone) {
      const end = space < 0 ? given.length : space;
      if (end > at) attributes.set(given.slice(at, end), "");
      at = end;
    } else {
      const end = given.indexOf('"', value + 2);
      attributes.set(given.slice(at, value), plainText(given.slice(value + 2, end)));
      at = end + 1;
    }
  }
  return attributes;
}

function plainText(text: string): string {
  if (!text.includes("&")) return text;
  return text.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => ENTITIES[entity] ?? "");
}
