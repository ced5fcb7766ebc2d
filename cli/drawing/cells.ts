import { styleText } from "node:util";

/** A character in the form in which a terminal shows it. */
export interface Glyph {
  readonly text: string;
  /** How many columns of the terminal it takes. */
  readonly cells: number;
}

/**
 * Characters that act on a terminal, are invisible, or have different widths in different terminals: control and
 * format characters, lone surrogates, private and unassigned ones, parts of emoji.
 */
const UNSAFE =
  /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Variation_Selector}\p{Emoji_Modifier}\p{Regional_Indicator}]/u;

/** Marks and vowels that combine with the character before them. */
const COMBINING = /[\p{Mn}\p{Me}\u1160-\u11ff\ud7b0-\ud7ff]/u;

/** East Asian Width W and F (UAX #11). */
const WIDE =
  /[\u1100-\u115f\u2329\u232a\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{1b2ff}\u{1f200}-\u{1f2ff}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u;

/** A tab is shown as these blanks, because its real width depends on the text before it. */
const TAB = "  ";

/** The characters of a text, each made safe for a terminal. */
export function glyphsOf(text: string): Glyph[] {
  return Array.from(text, glyphOf);
}

function glyphOf(character: string): Glyph {
  // Most characters are ASCII and need no tables.
  if (character >= " " && character <= "~") return { text: character, cells: 1 };
  if (character === "\t") return { text: TAB, cells: TAB.length };
  if (UNSAFE.test(character)) {
    const escaped = escapeOf(character);
    return { text: escaped, cells: escaped.length };
  }
  if (COMBINING.test(character)) return { text: character, cells: 0 };
  return { text: character, cells: WIDE.test(character) ? 2 : 1 };
}

function escapeOf(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16);
  return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, "0")}`;
}

/** Makes untrusted text safe to print on one line of a terminal: nothing in it acts on the terminal. */
export function safeLine(text: string): string {
  return joinedGlyphs(glyphsOf(text));
}

/** Like `safeLine`, but retains line feeds. */
export function safeLines(text: string): string {
  return text.split("\n").map(safeLine).join("\n");
}

/** How many columns of the terminal a text takes if `safeLine` prints it. */
export function cellsOf(text: string): number {
  return widthOf(glyphsOf(text));
}

/** The beginning of a text that fits, with `…` at the end if it was cut. */
export function cutTo(text: string, cells: number): string {
  return joinedGlyphs(fitted(glyphsOf(text), cells));
}

/** Breaks a safe text between words into lines that fit. A single word that is too long stays whole. */
export function wrapped(text: string, cells: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    const longer = line === "" ? word : `${line} ${word}`;
    if (line !== "" && cellsOf(longer) > cells) {
      lines.push(line);
      line = word;
    } else {
      line = longer;
    }
  }
  return [...lines, line];
}

export function joinedGlyphs(glyphs: readonly Glyph[]): string {
  return glyphs.map(({ text }) => text).join("");
}

export function widthOf(glyphs: readonly Glyph[]): number {
  return glyphs.reduce((sum, { cells }) => sum + cells, 0);
}

const ELLIPSIS: Glyph = { text: "…", cells: 1 };

/** The first glyphs that fit, followed by an ellipsis if some are left out. */
export function fitted(glyphs: readonly Glyph[], cells: number): Glyph[] {
  if (widthOf(glyphs) <= cells) return [...glyphs];
  const taken: Glyph[] = [];
  let room = cells - ELLIPSIS.cells;
  for (const glyph of glyphs) {
    room -= glyph.cells;
    if (room < 0) break;
    taken.push(glyph);
  }
  return cells > 0 ? [...taken, ELLIPSIS] : [];
}

/** The role of a piece of output. It determines the colour. */
export type Role = "error" | "warning" | "good" | "strong" | "dim" | "bar";

/** Puts a role's colours around a text. */
export type Paint = (role: Role, text: string) => string;

const STYLES = {
  error: "red",
  warning: "yellow",
  good: "green",
  strong: "bold",
  dim: "dim",
  bar: "cyan",
} as const satisfies Record<Role, Parameters<typeof styleText>[0]>;

/** For output without colours. */
export const plain: Paint = (_role, text) => text;

/** Colours if the stream supports them and the environment does not forbid them (`NO_COLOR`, `FORCE_COLOR`, `TERM`). */
export function paintFor(stream: NodeJS.WriteStream): Paint {
  const coloured: Paint = (role, text) =>
    text === "" ? text : styleText(STYLES[role], text, { stream });
  return coloured;
}
