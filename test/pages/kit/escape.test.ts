import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  csvRows,
  csvText,
  linkTarget,
  markdownBlock,
  markdownCode,
  markdownCodeCell,
  markdownLink,
  markdownText,
  markupText,
  oneLine,
  scriptJson,
  shown,
} from "../../../src/pages/kit/escape.js";
import { html, outsideLink } from "../../../src/pages/kit/html.js";
import { anyText, HOSTILE } from "../hostile.js";
import { all, attributeOf, elementsOf, parsedPiece, textOf } from "../parsed.js";

/** `shown` by its definition, without a quick way for usual texts. */
function shownSlowly(text: string): string {
  const unshown =
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern looks for control characters.
    /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\p{Noncharacter_Code_Point}]/gu;
  return text
    .replace(/\r\n?|\u2028|\u2029/g, "\n")
    .replace(unshown, "")
    .toWellFormed();
}

const ENTITIES = [
  ["&", "&amp;"],
  ["<", "&lt;"],
  [">", "&gt;"],
  ['"', "&quot;"],
  ["'", "&#39;"],
] as const;
const escapedSlowly = (text: string): string =>
  ENTITIES.reduce((escaped, [from, to]) => escaped.replaceAll(from, () => to), shownSlowly(text));

function expectAsDefined(text: string): void {
  expect([text, shown(text)]).toEqual([text, shownSlowly(text)]);
  expect([text, markupText(text)]).toEqual([text, escapedSlowly(text)]);
  const line = shownSlowly(text).replace(/\s+/g, " ").trim();
  expect([text, oneLine(text) || line]).toEqual([text, line]);
  const [given] = JSON.parse(scriptJson([text])) as [string];
  expect([text, given]).toEqual([text, shownSlowly(text)]);
}

describe("text in HTML", () => {
  it("is escaped by the same rules for each character and for any text, however quickly", () => {
    for (let code = 0; code <= 0xffff; code += 1) {
      const text = `a ${String.fromCharCode(code)}b`;
      if (shown(text) !== shownSlowly(text) || markupText(text) !== escapedSlowly(text)) {
        expectAsDefined(text);
      }
    }
    fc.assert(fc.property(anyText, expectAsDefined), { numRuns: 500 });
    for (const text of [...HOSTILE, "\b\f\r\t\n\\u0007", "\u{1fffe}", "\u{1f600}"]) {
      expectAsDefined(text);
    }
  });

  it("is read back by a browser, in an element and in an attribute, and never becomes markup", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const piece = parsedPiece(html`<p title="${text}">${text}</p>`.markup);
        const [p, ...others] = elementsOf(piece);
        expect(others).toEqual([]);
        expect(attributeOf(p!, "title")).toBe(shown(text));
        expect(p!.attrs.length).toBe(1);
        expect(textOf(p!)).toBe(shown(text).replace(/\s+/g, " ").trim());
      }),
    );
  });

  it("is escaped: only the result of a template is markup", () => {
    expect(html`<b>${"<i>"}</b>${html`<i>${1}</i>`}${null}${["a", html`<u></u>`]}`.markup).toBe(
      "<b>&lt;i&gt;</b><i>1</i>a<u></u>",
    );
  });
});

describe("addresses", () => {
  it.each([
    "javascript:alert(1)",
    "JaVaScRiPt:alert(1)",
    " javascript:alert(1)",
    "java\nscript:alert(1)",
    "data:text/html,<script>alert(1)</script>",
    "vbscript:x",
    "file:///etc/passwd",
    "//evil.example/x",
    "/relative",
    "https://good.example@evil.example/",
    "https://user:secret@evil.example/",
    "mailto:me@evil.example",
    "",
    "https://",
  ])("show %j as text, not as a link", (address) => {
    expect(linkTarget(address)).toBeNull();
    expect(all(parsedPiece(outsideLink(address).markup), "a")).toEqual([]);
    expect(markdownLink("text", address)).toBe("text");
  });

  it("link http and https addresses as a browser parses them", () => {
    expect(linkTarget('https://example.com/a b?c="d"<e>')).toBe(
      "https://example.com/a%20b?c=%22d%22%3Ce%3E",
    );
    expect(linkTarget("HTTP://EXAMPLE.com")).toBe("http://example.com/");
    expect(linkTarget("https://пример.example/")).toBe("https://xn--e1afmkfd.example/");
    const [link] = all(parsedPiece(outsideLink('https://example.com/"><script>').markup), "a");
    expect(attributeOf(link!, "href")).toBe("https://example.com/%22%3E%3Cscript%3E");
    expect(attributeOf(link!, "rel")).toBe("nofollow noopener noreferrer ugc");
  });
});

describe("JSON in a script element", () => {
  it("is read back unchanged, and never ends the script", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const json = scriptJson({ text });
        expect(JSON.parse(json)).toEqual({ text: shown(text) });
        expect(json).not.toMatch(/[<>&\u2028\u2029]/);
        const piece = parsedPiece(`<script type="application/ld+json">${json}</script><p></p>`);
        expect(elementsOf(piece).map(({ tagName }) => tagName)).toEqual(["script", "p"]);
      }),
    );
  });
});

/** Undoes backslashes before punctuation, as CommonMark does. */
function unescaped(markdown: string): string {
  return markdown.replace(/\\([!-/:-@[-`{-~])/g, "$1");
}

describe("text in Markdown", () => {
  it("stays on its line, is read back unchanged, and has no unescaped mark", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const escaped = markdownText(text);
        expect(escaped).not.toMatch(/[\n\r]/);
        expect(unescaped(escaped)).toBe(oneLine(text));
        const bare = escaped.replace(/\\[!-/:-@[-`{-~]/g, "");
        expect(bare).not.toMatch(/[\\`*_[\]<>&|~@$]/);
        expect(bare).not.toMatch(/:\/\/|\bwww\./i);
        expect(escaped).not.toMatch(/^(?:[#+=-]|\d+[.)](?:\s|$))/);
      }),
      { numRuns: 300 },
    );
  });

  it("is fenced as inline code by more backticks than it has, and never splits a cell", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const code = markdownCode(text);
        if (oneLine(text) === "") {
          expect(code).toBe("—");
          return;
        }
        const [, fence = "", inner = ""] = /^(`+)(.*?)\1$/s.exec(code) ?? [];
        expect(fence).not.toBe("");
        expect(inner.match(/`+/g) ?? []).not.toContain(fence);
        expect(inner).not.toMatch(/[\n\r]/);
        expect(inner.trim()).toBe(oneLine(text));
      }),
    );
    expect(markdownCode("a `b` c")).toBe("``a `b` c``");
    expect(markdownCode("`b`")).toBe("`` `b` ``");
    expect(markdownCode("a|b")).toBe("`a|b`");
  });

  it("does not end the cell as code in a table, whatever bars and backslashes it has", () => {
    const hostile = fc.string({ unit: fc.constantFrom("\\", "|", "`", "a", " ", "[b](c)") });
    fc.assert(
      fc.property(fc.oneof(hostile, anyText), (text) => {
        // As GFM splits a row: a backslash takes the mark behind it along.
        expect(markdownCodeCell(text)).toMatch(/^(?:\\[!-/:-@[-`{-~]|[^|\r\n])*$/);
      }),
      { numRuns: 1_000 },
    );
    expect(markdownCodeCell("a|b")).toBe("`a\\|b`");
    expect(markdownCodeCell("a\\|[b](https://c.example/)")).toBe(
      "a\\\\\\|\\[b\\](https\\://c.example/)",
    );
  });

  it("ends its code block where the text ends, whatever backticks it has", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const lines = markdownBlock(text, "text").split("\n");
        const fence = /^`{3,}/.exec(lines[0]!)![0];
        expect(lines.findIndex((line, place) => place > 0 && line.trim().startsWith(fence))).toBe(
          lines.length - 1,
        );
        expect(lines.slice(1, -1).join("\n")).toBe(shown(text).replace(/\n+$/, ""));
      }),
    );
  });

  it("cannot end a link as the link's text or address", () => {
    expect(markdownLink("a]b", "https://example.com/(x)?a=1&lt;b")).toBe(
      "[a\\]b](https://example.com/%28x%29?a=1&amp;lt;b)",
    );
    fc.assert(
      fc.property(anyText, anyText, (text, path) => {
        const link = markdownLink(text, `https://example.com/${path}`);
        if (oneLine(text) === "") {
          expect(link).toBe("");
          return;
        }
        const [, address = ""] = /\]\((https:\/\/example\.com\/[^\s()<>|\\`]*)\)$/.exec(link) ?? [];
        expect(address).not.toBe("");
      }),
    );
  });
});

/** The cells of a row of CSV, as a parser reads them. */
function cellsOf(row: string): string[] {
  const cells = row.slice(0, -2).match(/"(?:[^"]|"")*"|[^,]+|(?<=^|,)(?=,|$)/g) ?? [];
  return cells.map((cell) => cell.replace(/^"|"$/g, "").replaceAll('""', '"'));
}

describe("a text in CSV", () => {
  const signs = [..."=+-@\uff1d\uff0b\uff0d\uff20\ufe66\ufe62\ufe63\ufe6b"];
  const blanks = [..." \t\r\n\u00a0\u3000\u200b\ufeff\u00ad\u0000\u2028"];

  it("is no formula for a spreadsheet, whatever blanks and forms of the sign it begins with", () => {
    const formula = fc
      .tuple(fc.array(fc.constantFrom(...blanks)), fc.constantFrom(...signs), anyText)
      .map(([before, sign, after]) => `${before.join("")}${sign}${after}`);
    fc.assert(
      fc.property(formula, (text) => {
        expect(cellsOf(csvRows([[text, "b"]]))).toEqual([`'${shown(text)}`, "b"]);
      }),
      { numRuns: 2_000 },
    );
  });

  it("stays as it is if it is no formula, and so do numbers", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const plain = `a${text}`;
        expect(cellsOf(csvRows([[plain, -1.5, null]]))).toEqual([shown(plain), "-1.5", ""]);
      }),
    );
    expect(csvRows([["1=1", "a-b", "'=1", "\u00e9@b", "", " "]])).toBe(
      "1=1,a-b,'=1,\u00e9@b,, \r\n",
    );
  });

  it("is UTF-8 for Excel too, as the file begins with a byte-order mark", () => {
    expect(csvText(["name"], [["\u00e9"]])).toBe("\ufeffname\r\n\u00e9\r\n");
  });
});
