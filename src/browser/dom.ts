import type { Html } from "../pages/kit/html.js";
import { type MarkupElement, type MarkupNode, parseMarkup } from "../pages/kit/parsed-markup.js";

const SVG = "http://www.w3.org/2000/svg";

/**
 * Updates the content of `parent` to match the markup. It reuses nodes that fit, so that a control preserves its focus
 * and typed text, and a reader's unfolded groups stay open. Texts are inserted as text nodes.
 */
export function fill(parent: Element, view: Html | null): void {
  updateChildren(parent, view === null ? [] : parseMarkup(view));
}

function updateChildren(parent: Element, wanted: readonly MarkupNode[]): void {
  for (const [index, next] of wanted.entries()) {
    const current = parent.childNodes[index];
    if (current !== undefined && canReuse(current, next)) updateNode(current, next);
    else if (current === undefined) parent.append(createNode(next, parent));
    else current.replaceWith(createNode(next, parent));
  }
  while (parent.childNodes.length > wanted.length) parent.lastChild?.remove();
}

function canReuse(current: Node, next: MarkupNode): boolean {
  if (typeof next === "string") return current instanceof Text;
  if (!(current instanceof Element) || current.localName !== next.tag) return false;
  // A different id, type or name means a different control or group, even if the content is equal.
  return ["id", "type", "name"].every(
    (name) => current.getAttribute(name) === (next.attributes.get(name) ?? null),
  );
}

function createNode(next: MarkupNode, parent: Element): Node {
  if (typeof next === "string") return document.createTextNode(next);
  const isSvg = next.tag === "svg" || (parent.namespaceURI === SVG && parent.localName === "svg");
  const element = isSvg
    ? document.createElementNS(SVG, next.tag)
    : document.createElement(next.tag);
  updateNode(element, next);
  return element;
}

function updateNode(current: Node, next: MarkupNode): void {
  if (typeof next === "string") {
    if (current.nodeValue !== next) current.nodeValue = next;
  } else if (current instanceof Element) {
    updateAttributes(current, next);
    updateChildren(current, next.children);
    updateProperties(current, next);
  }
}

function updateAttributes(element: Element, { tag, attributes }: MarkupElement): void {
  // Leaves open what a reader has unfolded.
  const isReaders = (name: string) => tag === "details" && name === "open" && element.isConnected;
  for (const { name } of [...element.attributes]) {
    if (!attributes.has(name) && !isReaders(name)) element.removeAttribute(name);
  }
  for (const [name, value] of attributes) {
    if (!isReaders(name) && element.getAttribute(name) !== value) element.setAttribute(name, value);
  }
}

/** Once a reader has used a control, its state no longer follows its attributes, so properties are set as well. */
function updateProperties(element: Element, { attributes }: MarkupElement): void {
  if (element instanceof HTMLOptionElement) element.selected = attributes.has("selected");
  if (!(element instanceof HTMLInputElement)) return;
  const value = attributes.get("value");
  // The ticks of another form are the reader's own.
  const isChoice = ["checkbox", "radio"].includes(element.type) && !attributes.has("form");
  if (isChoice) element.checked = attributes.has("checked");
  // Does not overwrite a number while the reader is typing it.
  else if (value !== undefined && element !== document.activeElement) element.value = value;
}
