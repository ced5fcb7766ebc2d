import { type Drawn, drawnOf } from "./drawn.js";
import {
  markdownBlock,
  markdownCode,
  markdownCodeCell,
  markdownLink,
  markdownText,
} from "./escape.js";
import type { Html } from "./html.js";
import { NO_VALUE } from "./words.js";

/*
 * The Markdown form (GFM) of markup that `html` made: all that it says, without pictures and controls. Each text is escaped
 * for its place, so that a text of a report starts no block and becomes no markup.
 */

type Nodes = Drawn["children"];

const BLOCKS = ["p", "h3", "h4", "ul", "ol", "dl", "table", "pre", "details", "div"];
const LEFT_OUT = ["svg", "img", "fieldset", "button", "caption"];
/** Texts for screen readers, and the publisher's addresses, which the end of a report has. */
const LEFT_OUT_CLASSES = ["hidden", "near"];

/** Markup as Markdown, its blocks with an empty line between them; "" if it says nothing. */
export function markdownOf(view: Html): string {
  return blocksIn(drawnOf(view)).join("\n\n");
}

function isShown(node: Drawn | string): boolean {
  if (typeof node === "string") return true;
  return (
    !LEFT_OUT.includes(node.tag) && !LEFT_OUT_CLASSES.includes(node.attributes.get("class") ?? "")
  );
}

function isBlock(node: Drawn | string): node is Drawn {
  return typeof node !== "string" && BLOCKS.includes(node.tag);
}

/** The blocks of some nodes. Texts and inline elements beside each other are a paragraph. */
function blocksIn(nodes: Nodes): string[] {
  const blocks: string[] = [];
  let line: Nodes = [];
  const endLine = () => {
    blocks.push(inlineMarkdown(line));
    line = [];
  };
  for (const node of nodes.filter(isShown)) {
    if (!isBlock(node)) {
      line.push(node);
      continue;
    }
    endLine();
    blocks.push(...blockMarkdown(node));
  }
  endLine();
  return blocks.filter((block) => block !== "");
}

function blockMarkdown({ tag, children }: Drawn): string[] {
  switch (tag) {
    case "h3":
    case "h4":
      return [`${tag === "h3" ? "###" : "####"} ${inlineMarkdown(children)}`];
    case "pre":
      return [markdownBlock(textInside(children), "text")];
    case "ul":
    case "ol":
      return listMarkdown(elementsIn(children, "li"));
    case "dl":
      return [entriesMarkdown(children).join("\n")];
    case "table":
      return [tableMarkdown(children)];
    case "details": {
      const [summary, ...rest] = children;
      const title = summary === undefined ? "" : inlineMarkdown([summary]);
      return [`**${title}**`, ...blocksIn(rest)];
    }
    default:
      return blocksIn(children);
  }
}

/** A list; items with a heading are blocks of their own. */
function listMarkdown(items: readonly Drawn[]): string[] {
  if (items.some((item) => elementsIn(item.children, "h3").length > 0))
    return items.flatMap(({ children }) => blocksIn(children));
  return [items.map(({ children }) => itemMarkdown("", children)).join("\n")];
}

/** The terms and values of a list of them, which may stand in pairs. */
function entriesMarkdown(nodes: Nodes): string[] {
  let term = "";
  return nodes.flatMap((node) => {
    if (typeof node === "string") return [];
    if (node.tag === "dt") term = `${inlineMarkdown(node.children)}:`;
    if (node.tag === "div") return entriesMarkdown(node.children);
    return node.tag === "dd" ? [itemMarkdown(term, node.children)] : [];
  });
}

/** An item of a list: a line, then its blocks, indented. */
function itemMarkdown(term: string, nodes: Nodes): string {
  const blocks = blocksIn(nodes);
  const [first] = nodes.filter(isShown);
  const line = first === undefined || isBlock(first) ? "" : (blocks.shift() ?? "");
  const lead = [term, line].filter((text) => text !== "").join(" ");
  const rest = blocks.map((block, index) => {
    const isFirst = index === 0 && lead === "";
    const between = isFirst ? "" : block.startsWith("- ") ? "\n  " : "\n\n  ";
    return between + block.replace(/\n(?!\n)/g, "\n  ");
  });
  return `- ${lead}${rest.join("")}`;
}

function tableMarkdown(nodes: Nodes): string {
  const rows = elementsIn(nodes, "tr").map(({ children }) => {
    const cells = children.flatMap((cell) => {
      if (typeof cell === "string") return [];
      const more = Number(cell.attributes.get("colspan") ?? 1) - 1;
      return [
        inlineMarkdown(cell.children, true) || NO_VALUE,
        ...Array.from({ length: more }, () => ""),
      ];
    });
    return `| ${cells.join(" | ")} |`;
  });
  const [head = "", ...body] = rows;
  const columns = head.replace(/\\.|[^|]/g, "").length - 1;
  return [head, `|${" --- |".repeat(columns)}`, ...body].join("\n");
}

/** All elements of a kind that are not in another of the kind. */
function elementsIn(nodes: Nodes, tag: string): Drawn[] {
  return nodes.flatMap((node) => {
    if (typeof node === "string") return [];
    return node.tag === tag ? [node] : elementsIn(node.children, tag);
  });
}

/** Nodes on one line. @param isCell whether it is a cell of a table, where blocks are on the line, too */
function inlineMarkdown(nodes: Nodes, isCell = false): string {
  return joinedLine(nodes, isCell).replace(/ {2,}/g, " ").trim();
}

function joinedLine(nodes: Nodes, isCell: boolean, between = ""): string {
  return nodes
    .filter(isShown)
    .map((node) => (typeof node === "string" ? inlineText(node) : elementLine(node, isCell)))
    .join(between);
}

function elementLine({ tag, attributes, children }: Drawn, isCell: boolean): string {
  switch (tag) {
    case "a":
      return linkMarkdown(textInside(children), attributes.get("href") ?? "");
    case "code":
      return (isCell ? markdownCodeCell : markdownCode)(textInside(children));
    case "strong":
      return `**${inlineMarkdown(children, isCell)}**`;
    case "pre":
      return ` ${textInside(children).split("\n").map(markdownCodeCell).join(" ")}`;
    case "ul":
      return joinedLine(children, isCell, ", ");
    case "summary":
      return isCell ? "" : joinedLine(children, isCell);
    default: {
      const line = joinedLine(children, isCell);
      // The stylesheet parts these from the text before them.
      return PARTED.test(attributes.get("class") ?? "") ? ` ${line}` : line;
    }
  }
}

const PARTED = /^(?:quiet|cost|points)$/;

function inlineText(text: string): string {
  const line = markdownText(text);
  if (line === "") return text === "" ? "" : " ";
  return `${/^\s/.test(text) ? " " : ""}${line}${/\s$/.test(text) ? " " : ""}`;
}

/** Addresses are absolute: a copy of the Markdown has no address of its own. */
function linkMarkdown(text: string, address: string): string {
  return /^https?:/.test(address) ? markdownLink(text, address) : markdownText(text);
}

function textInside(nodes: Nodes): string {
  return nodes
    .filter(isShown)
    .map((node) => (typeof node === "string" ? node : textInside(node.children)))
    .join("");
}
