import { type DefaultTreeAdapterTypes, parse, parseFragment } from "parse5";
import { expect } from "vitest";

type Node = DefaultTreeAdapterTypes.Node;
export type Element = DefaultTreeAdapterTypes.Element;

/** A page as a browser reads it. @throws where its markup has an error that browsers have to mend */
export function parsedPage(markup: string): Node {
  const errors: string[] = [];
  const page = parse(markup, { onParseError: ({ code }) => errors.push(code) });
  expect(errors).toEqual([]);
  return page;
}

/** A piece of markup as a browser reads it. */
export function parsedPiece(markup: string): Node {
  const errors: string[] = [];
  const piece = parseFragment(markup, { onParseError: ({ code }) => errors.push(code) });
  expect(errors).toEqual([]);
  return piece;
}

/** By node: tests ask again and again for the elements of a page, which none of them changes. */
const elements = new WeakMap<Node, readonly Element[]>();

/** All elements below a node, in their order, what is in templates left out. */
export function elementsOf(node: Node): readonly Element[] {
  const known = elements.get(node);
  if (known !== undefined) return known;
  const found: Element[] = [];
  const visit = (one: Node): void => {
    if ("tagName" in one) found.push(one);
    if ("childNodes" in one) for (const child of one.childNodes) visit(child);
  };
  visit(node);
  elements.set(node, found);
  return found;
}

/** Elements with a tag, and with an attribute where one is asked for. */
export function all(node: Node, tag: string, attribute?: string): Element[] {
  return elementsOf(node).filter(
    (one) =>
      one.tagName === tag && (attribute === undefined || attributeOf(one, attribute) !== null),
  );
}

export function attributeOf(element: Element, name: string): string | null {
  return element.attrs.find((one) => one.name === name)?.value ?? null;
}

/** A node's text, what scripts have in them left out; blocks are parted by a space. */
export function textOf(node: Node): string {
  const pieces: string[] = [];
  const visit = (one: Node): void => {
    if (one.nodeName === "#text") pieces.push((one as DefaultTreeAdapterTypes.TextNode).value);
    if (one.nodeName === "script" || one.nodeName === "style") return;
    if ("childNodes" in one) for (const child of one.childNodes) visit(child);
    if (/^(?:p|li|td|th|dt|dd|h\d|div)$/.test(one.nodeName)) pieces.push(" ");
  };
  visit(node);
  return pieces.join("").replace(/\s+/g, " ").trim();
}

/** What a page consists of without its texts: tags and the names of attributes. */
export function skeletonOf(node: Node): string[] {
  return elementsOf(node).map(
    ({ tagName, attrs }) => `${tagName} ${attrs.map(({ name }) => name).join(" ")}`,
  );
}

/** Elements that have a class among others. */
export function byClass(node: Node, name: string): Element[] {
  return elementsOf(node).filter((one) =>
    (attributeOf(one, "class") ?? "").split(" ").includes(name),
  );
}

/** The one element with an id. */
export function byId(node: Node, id: string): Element {
  const found = elementsOf(node).filter((one) => attributeOf(one, "id") === id);
  expect([id, found.length]).toEqual([id, 1]);
  return found[0]!;
}

/** What programs read from the head of a page, by the name of the element or property. */
export function headOf(html: string): Record<string, string | null> {
  const page = parsedPage(html);
  const metas = all(page, "meta").flatMap((one) => {
    const name = attributeOf(one, "property") ?? attributeOf(one, "name");
    return name ? [[name, attributeOf(one, "content")]] : [];
  });
  const canonical = all(page, "link").find((one) => attributeOf(one, "rel") === "canonical");
  const head = {
    ...Object.fromEntries(metas),
    canonical: canonical && attributeOf(canonical, "href"),
  };
  return { ...head, title: textOf(all(page, "title")[0]!) };
}
