import { type Drawn, drawnOf } from "../pages/kit/drawn.js";
import { type Html, html } from "../pages/kit/html.js";
import type { Progress } from "./tree.js";

const SVG = "http://www.w3.org/2000/svg";

/**
 * Updates the content of `place` to match the markup. It reuses nodes that fit, so that a control preserves its focus
 * and typed text, and a reader's unfolded groups stay open. Texts are inserted as text nodes.
 */
export function fill(place: Element, view: Html | null): void {
  fillWith(place, view === null ? [] : drawnOf(view));
}

function fillWith(place: Element, children: Drawn["children"]): void {
  for (const [at, drawn] of children.entries()) {
    const there = place.childNodes[at];
    if (there !== undefined && fits(there, drawn)) adapt(there, drawn);
    else if (there === undefined) place.append(made(drawn, place));
    else there.replaceWith(made(drawn, place));
  }
  while (place.childNodes.length > children.length) place.lastChild?.remove();
}

function fits(there: Node, drawn: Drawn | string): boolean {
  if (typeof drawn === "string") return there instanceof Text;
  if (!(there instanceof Element) || there.localName !== drawn.tag) return false;
  // A different id, type or name means a different control or group, even if the content is equal.
  const same = (name: string) => there.getAttribute(name) === (drawn.attributes.get(name) ?? null);
  return ["id", "type", "name"].every(same);
}

function made(drawn: Drawn | string, place: Element): Node {
  if (typeof drawn === "string") return document.createTextNode(drawn);
  const isSvg = drawn.tag === "svg" || (place.namespaceURI === SVG && place.localName === "svg");
  const element = isSvg
    ? document.createElementNS(SVG, drawn.tag)
    : document.createElement(drawn.tag);
  adapt(element, drawn);
  return element;
}

function adapt(there: Node, drawn: Drawn | string): void {
  if (typeof drawn === "string") {
    if (there.nodeValue !== drawn) there.nodeValue = drawn;
  } else if (there instanceof Element) {
    writeAttributes(there, drawn);
    fillWith(there, drawn.children);
    writeProperties(there, drawn);
  }
}

function writeAttributes(element: Element, { tag, attributes }: Drawn): void {
  // Leaves open what a reader has unfolded.
  const isKept = (name: string) => tag === "details" && name === "open" && element.isConnected;
  for (const { name } of [...element.attributes]) {
    if (!attributes.has(name) && !isKept(name)) element.removeAttribute(name);
  }
  for (const [name, value] of attributes) {
    if (!isKept(name) && element.getAttribute(name) !== value) element.setAttribute(name, value);
  }
}

/** Once a reader has used a control, its state no longer follows its attributes, so properties are set as well. */
function writeProperties(element: Element, { attributes }: Drawn): void {
  if (element instanceof HTMLOptionElement) element.selected = attributes.has("selected");
  if (!(element instanceof HTMLInputElement)) return;
  const value = attributes.get("value");
  // The ticks of another form are the reader's own.
  const isChoice = ["checkbox", "radio"].includes(element.type) && !attributes.has("form");
  if (isChoice) element.checked = attributes.has("checked");
  // Does not overwrite a number while the reader is typing it.
  else if (value !== undefined && element !== document.activeElement) element.value = value;
}

/** Shows how much of the files that searches need has arrived. Shows nothing once they are there. */
export function showLoading(place: Element, { loaded, total }: Progress): void {
  const view = html`<div class="notice loading">
    <label for="loading">Loading the directory: ${Math.floor((100 * loaded) / total)}%</label>
    <progress id="loading" value="${loaded}" max="${total}"></progress></div>`;
  fill(place, loaded < total ? view : null);
}
