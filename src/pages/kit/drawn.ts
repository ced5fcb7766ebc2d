import type { Html } from "./html.js";

/** An element of markup, with its content: scripts make elements of it, and reports their Markdown form. */
export interface Drawn {
  readonly tag: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: (Drawn | string)[];
}

/** A tag with its attributes, or a text. The template escapes `<`, `>` and quotes in all texts. */
const TOKEN = /<(\/?)(\w+)((?: [\w-]+(?:="[^"<>]*")?)*)(\/?)>|([^<]+)/g;
const ATTRIBUTE = /([\w-]+)(?:="([^"]*)")?/g;
/** Elements without an end tag. */
const VOID = ["input", "img", "wbr"];
const ENTITIES: Readonly<Record<string, string>> = {
  ...{ "&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"', "&#39;": "'" },
};

/** The elements and texts of markup, as `html` makes it. */
export function drawnOf({ markup }: Html): Drawn["children"] {
  const root: Drawn["children"] = [];
  const open = [root];
  for (const [, end, tag = "", given = "", isEmpty, text] of markup.matchAll(TOKEN)) {
    const children = open.at(-1);
    if (text !== undefined) children?.push(plainText(text));
    else if (end !== "") open.pop();
    else {
      const element: Drawn = { tag, attributes: attributesIn(given), children: [] };
      children?.push(element);
      if (isEmpty !== "/" && !VOID.includes(tag)) open.push(element.children);
    }
  }
  return root;
}

const NONE: Drawn["attributes"] = new Map();

function attributesIn(given: string): Drawn["attributes"] {
  if (given === "") return NONE;
  return new Map(
    Array.from(given.matchAll(ATTRIBUTE), ([, name = "", value = ""]) => [name, plainText(value)]),
  );
}

function plainText(text: string): string {
  if (!text.includes("&")) return text;
  return text.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => ENTITIES[entity] ?? "");
}
