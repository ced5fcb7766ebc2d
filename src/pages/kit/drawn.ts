import type { Html } from "./html.js";

/** An element of markup, with its content: a script makes it, a text becomes a text node. */
export interface Drawn {
  readonly tag: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: (Drawn | string)[];
}

/** A tag with its attributes, or a text. The template escapes `<`, `>` and quotes in all texts. */
const TOKEN = /<(\/?)(\w+)((?: [\w-]+(?:="[^"<>]*")?)*)>|([^<]+)/g;
const ATTRIBUTE = /([\w-]+)(?:="([^"]*)")?/g;
/** Elements without an end tag. */
const VOID = ["input", "img", "wbr"];
const ENTITIES: Readonly<Record<string, string>> = {
  ...{ "&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"', "&#39;": "'" },
};

/** The elements and texts of markup, as `html` makes it. */
export function drawnOf({ markup }: Html): Drawn["children"] {
  const open: Drawn["children"][] = [[]];
  for (const [, end, tag = "", given = "", text] of markup.matchAll(TOKEN)) {
    const children = open.at(-1);
    if (text !== undefined) children?.push(plainText(text));
    else if (end !== "") open.pop();
    else {
      const attributes = Array.from(given.matchAll(ATTRIBUTE), ([, name = "", value = ""]) => {
        return [name, plainText(value)] as const;
      });
      const element: Drawn = { tag, attributes: new Map(attributes), children: [] };
      children?.push(element);
      if (!VOID.includes(tag)) open.push(element.children);
    }
  }
  return open[0] ?? [];
}

function plainText(text: string): string {
  return text.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => ENTITIES[entity] ?? "");
}
