import { shown } from "../pages/kit/escape.js";
import { el, type Tree, type TreeElement } from "../pages/kit/tree.js";
import { linkTo, type Progress } from "./tree.js";

const SVG = "http://www.w3.org/2000/svg";

/**
 * Updates the content of `place` to match the trees. It reuses nodes that fit, so that a control preserves its focus
 * and typed text, and a reader's unfolded groups stay open. Texts are inserted as text nodes, never as markup.
 */
export function fill(place: Element, trees: readonly Tree[]): void {
  for (const [at, tree] of trees.entries()) {
    const there = place.childNodes[at];
    if (there !== undefined && fits(there, tree)) adapt(there, tree);
    else if (there === undefined) place.append(made(tree, place));
    else there.replaceWith(made(tree, place));
  }
  while (place.childNodes.length > trees.length) place.lastChild?.remove();
}

function fits(there: Node, tree: Tree): boolean {
  if (typeof tree === "string") return there instanceof Text;
  if (!(there instanceof Element) || there.localName !== tree.tag) return false;
  // A different id, type or name means a different control or group, even if the content is equal.
  const same = (name: string) =>
    (there.getAttribute(name) ?? "") === String(tree.attributes[name] ?? "");
  return ["id", "type", "name"].every(same);
}

function made(tree: Tree, place: Element): Node {
  if (typeof tree === "string") return document.createTextNode(shown(tree));
  const isDrawn = tree.tag === "svg" || (place.namespaceURI === SVG && place.localName === "svg");
  const element = isDrawn
    ? document.createElementNS(SVG, tree.tag)
    : document.createElement(tree.tag);
  writeAttributes(element, tree);
  fill(element, tree.children);
  writeProperties(element, tree);
  return element;
}

function adapt(there: Node, tree: Tree): void {
  if (typeof tree === "string") {
    const text = shown(tree);
    if (there.nodeValue !== text) there.nodeValue = text;
  } else if (there instanceof Element) {
    writeAttributes(there, tree);
    fill(there, tree.children);
    writeProperties(there, tree);
  }
}

function writeAttributes(element: Element, { tag, attributes }: TreeElement): void {
  for (const { name } of [...element.attributes]) {
    // Leaves open what a reader has unfolded.
    if (!(name in attributes) && !(tag === "details" && name === "open")) {
      element.removeAttribute(name);
    }
  }
  for (const [name, value] of Object.entries(attributes)) {
    if (tag === "details" && name === "open" && element.isConnected) continue;
    if (value === false) element.removeAttribute(name);
    else {
      const text = attributeText(name, value);
      if (element.getAttribute(name) !== text) element.setAttribute(name, text);
    }
  }
}

function attributeText(name: string, value: string | number | true): string {
  if (value === true) return "";
  return shown(name === "href" ? linkTo(String(value)) : String(value));
}

/** Once a reader has used a control, its state no longer follows its attributes, so properties are set as well. */
function writeProperties(element: Element, { attributes }: TreeElement): void {
  if (element instanceof HTMLInputElement && "checked" in attributes) {
    element.checked = attributes.checked === true;
  } else if (element instanceof HTMLInputElement && "value" in attributes) {
    // Does not overwrite a number while the reader is typing it.
    const isOwn = element === document.activeElement;
    if (!isOwn && element.value !== attributes.value) element.value = String(attributes.value);
  } else if (element instanceof HTMLOptionElement) {
    element.selected = attributes.selected === true;
  }
}

/** Shows how much of the files that searches need has arrived. Shows nothing once they are there. */
export function showLoading(place: Element, { loaded, total }: Progress): void {
  const view = el(
    "div",
    { class: "notice loading" },
    el(
      "label",
      { for: "loading" },
      `Loading the directory: ${Math.floor((100 * loaded) / total)} %`,
    ),
    el("progress", { id: "loading", value: loaded, max: total }),
  );
  fill(place, loaded < total ? [view] : []);
}
