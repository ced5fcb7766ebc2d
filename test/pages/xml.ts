/** An element of an XML document. `text` is that of the element and of all below it. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: XmlElement[];
  text: string;
}

export function childrenOf({ children }: XmlElement, name: string): XmlElement[] {
  return children.filter((child) => child.name === name);
}

const DECLARATION = /^<\?xml version="1\.0" encoding="utf-8"\?>\n/;
const TAG = /<(\/?)([a-z]+)((?: [a-z:]+="[^"<]*")*)(\/?)>|[^<]+/y;
/** What XML 1.0 allows in a document, section 2.2. */
const CHARACTERS = /^[\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]*$/u;
const ENTITIES: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#39;": "'",
};

/** Reads the XML that feeds are written in: elements, quoted attributes, five entities. @throws if it is not well formed */
export function parsedXml(document: string): XmlElement {
  if (!DECLARATION.test(document)) throw new Error("no declaration");
  if (!CHARACTERS.test(document)) throw new Error("a character that XML does not have");
  const source = document.replace(DECLARATION, "");
  const root: XmlElement = { name: "", attributes: {}, children: [], text: "" };
  const open = [root];
  for (let at = 0; at < source.length; at = TAG.lastIndex) {
    TAG.lastIndex = at;
    const found = TAG.exec(source);
    if (found === null) throw new Error(`not well formed: ${source.slice(at)}`);
    take(found, open);
  }
  const [element] = root.children;
  if (open.length !== 1 || root.children.length !== 1 || element === undefined) {
    throw new Error("not one element");
  }
  return element;
}

/** Adds a tag or a text to the elements that are open. */
function take(
  [text, closing, name = "", attributes = "", isEmpty]: RegExpExecArray,
  open: XmlElement[],
) {
  if (closing === undefined) {
    for (const one of open) one.text += decoded(text);
  } else if (closing === "/") {
    if (open.pop()?.name !== name) throw new Error(`${name} ends what did not begin`);
  } else {
    const pairs = [...attributes.matchAll(/ ([a-z:]+)="([^"]*)"/g)];
    const read = Object.fromEntries(pairs.map(([, key = "", value = ""]) => [key, decoded(value)]));
    const element: XmlElement = { name, attributes: read, children: [], text: "" };
    open.at(-1)?.children.push(element);
    if (isEmpty !== "/") open.push(element);
  }
}

function decoded(text: string): string {
  return text.replace(/&[^;]*;?/g, (entity) => {
    const character = ENTITIES[entity];
    if (character === undefined) throw new Error(`${entity} is no entity`);
    return character;
  });
}
