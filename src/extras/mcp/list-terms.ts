import * as z from "zod";
import { Count, field } from "../../contract/field.js";
import { integer, oneOf, searchText } from "../../contract/values.js";
import { crawlerTermsOf, KINDS, Term, termsOf } from "./terms.js";
import { toolOf } from "./tool.js";

export const listTerms = toolOf(
  {
    name: "list_terms",
    title: "List what can be asked about",
    description:
      "The slugs that other tools take, with their names: categories, tags, platforms, checks (for " +
      "`capability` and `check`), bands and crawlers. Call it before you filter by one.",
    parameters: {
      kind: { kind: oneOf(KINDS), description: "Only terms of this kind.", example: "category" },
      q: {
        kind: searchText(1, 100),
        description: "Only terms whose slug or name has this text, ignoring case.",
        example: "health",
      },
      page: {
        kind: integer(1, 10_000),
        absent: 1,
        description: "Number of the page, counted from 1.",
        example: 2,
      },
      limit: { kind: integer(1, 300), absent: 300, description: "Terms per page.", example: 50 },
    },
    output: z.strictObject({
      data: field(z.array(Term), "The terms of the page, by kind, in the publisher's order."),
      total: field(Count, "The number of all terms that match.", 28),
    }),
  },
  async ({ kind, q = "", page, limit }, snapshot) => {
    const wanted = q.toLowerCase();
    const crawlers = (kind ?? "crawler") === "crawler" ? await crawlerTermsOf(snapshot) : [];
    const found = [...(await termsOf(snapshot)), ...crawlers].filter(
      (term) =>
        (kind === undefined || term.kind === kind) &&
        (term.slug.toLowerCase().includes(wanted) || term.name.toLowerCase().includes(wanted)),
    );
    const data = found.slice((page - 1) * limit, page * limit);
    return { content: { data, total: found.length } };
  },
);
