/** Checks pages against the HTML standard, with html-validate. */
import { HtmlValidate, StaticConfigLoader } from "html-validate";

/**
 * Everything that html-validate recommends for whole documents is an error, except advice that the HTML standard does
 * not give.
 */
const validator = new HtmlValidate(
  new StaticConfigLoader({
    root: true,
    extends: ["html-validate:recommended", "html-validate:document"],
    rules: {
      // The standard's doctype is not case-sensitive, and its own examples write it in lower case.
      "doctype-style": "off",
      // The standard's default is `submit`, and our forms' buttons submit them.
      "no-implicit-button-type": "off",
      // A `div` that is named as a region so that a keyboard can scroll it is no `section`; a listbox is no `select`.
      "prefer-native-element": "off",
      // Checkboxes that choose several values of a filter share the filter's name.
      "form-dup-name": ["error", { shared: ["checkbox", "radio", "button", "submit", "reset"] }],
      // The standard allows any id without white space. Ids of checks come from publishers.
      "valid-id": ["error", { relaxed: true }],
      // A title's length is search engines' advice. Names come from publishers.
      "long-title": "off",
      // Pages load files of their own origin alone, by names that hold their hash.
      "require-sri": "off",
      // ARIA allows a name for every element with these roles; html-validate only recommends fewer.
      "aria-label-misuse": ["error", { allowAnyNamable: true }],
      // A text may end a line with a space.
      "no-trailing-whitespace": "off",
    },
  }),
);

/** The errors of a whole HTML document, one line each: the rule, the message and the element. */
export function htmlErrors(markup: string): string[] {
  const { results } = validator.validateStringSync(markup);
  return results
    .flatMap(({ messages }) => messages)
    .map(
      ({ ruleId, message, selector }) => `${ruleId}: ${message} at ${selector ?? "the document"}`,
    );
}
