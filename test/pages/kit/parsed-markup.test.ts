import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { shown } from "../../../src/pages/kit/escape.js";
import { flag, html } from "../../../src/pages/kit/html.js";
import { parseMarkup } from "../../../src/pages/kit/parsed-markup.js";
import { anyText } from "../hostile.js";

describe("the markup that a page's script draws", () => {
  it("has the elements, attributes and texts of its template, whatever the texts are", () => {
    fc.assert(
      fc.property(anyText, fc.boolean(), (text, isSet) => {
        const row = html`<li data-x="${text}"${flag("hidden", isSet)}>${text}</li>`;
        const view = html`<input value="${text}"> and <svg viewBox="0 0 1 1"><path d="M0"></path></svg><ul>${[row, row]}</ul>`;
        const item = {
          tag: "li",
          attributes: new Map([
            ["data-x", shown(text)],
            ...(isSet ? [["hidden", ""] as const] : []),
          ]),
          children: text === "" || shown(text) === "" ? [] : [shown(text)],
        };
        expect(parseMarkup(view)).toEqual([
          { tag: "input", attributes: new Map([["value", shown(text)]]), children: [] },
          " and ",
          {
            tag: "svg",
            attributes: new Map([["viewBox", "0 0 1 1"]]),
            children: [{ tag: "path", attributes: new Map([["d", "M0"]]), children: [] }],
          },
          { tag: "ul", attributes: new Map(), children: [item, item] },
        ]);
      }),
    );
  });
});
