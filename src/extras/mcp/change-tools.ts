import * as z from "zod";
import { Count, field, Host } from "../../contract/field.js";
import { askedHost, HOST_TEXT, integer, SLUG } from "../../contract/values.js";
import { CHANGES_LIMITS } from "../changes/reads.js";
import { changesOfHosts, searchChanges } from "../changes/search-feed.js";
import { StoredChange } from "../changes/stored-change.js";
import { CALL_HOSTS_MAX, invalid, NO_SITE, toolOf } from "./tool.js";

const Change = z.strictObject({
  host: field(Host, "Canonical host of the site."),
  what: field(
    z.enum(["entered", "left", "changed"]),
    "Whether the site entered search (or the category), left it, or changed within it.",
    "changed",
  ),
  ...StoredChange.pick({
    publishedAt: true,
    score: true,
    band: true,
    scoreVersion: true,
    checks: true,
    was: true,
  }).shape,
});

/** Answers with the changes that feeds of searches have. */
export const recentChanges = toolOf(
  {
    name: "recent_changes",
    title: "What changed lately",
    description:
      "What changed lately in the directory, in a category, or for one site: sites that entered or left, " +
      "and former and new scores, bands and passed checks. The latest first, over the last " +
      `${CHANGES_LIMITS.feedDays} days before the directory's latest change.`,
    parameters: {
      host: {
        kind: HOST_TEXT,
        description: "Only this site: its host, or a web address.",
        example: "birchclinic.example",
      },
      category: {
        kind: SLUG,
        names: "category",
        description: "Only sites of this category, by its slug.",
        example: "health",
      },
      limit: {
        kind: integer(1, CALL_HOSTS_MAX),
        absent: 20,
        description: "The most changes to answer with.",
        example: 20,
      },
    },
    output: z.strictObject({
      data: field(z.array(Change), "The changes, the latest first. Empty if none is known."),
      total: field(Count, "The number of all changes that match.", 3),
    }),
  },
  async ({ host: text, category, limit }, snapshot) => {
    const host = text === undefined ? null : askedHost(text).host;
    const query = category === undefined ? {} : { category: [category] };
    const data: z.output<typeof Change>[] = [];
    let total = 0;
    const found =
      host !== null && category === undefined
        ? await changesOfHosts([host], snapshot)
        : searchChanges(query, category === undefined, snapshot);
    for await (const { change, what } of found) {
      if (host !== null && change.host !== host) continue;
      total += 1;
      if (data.length === limit) continue;
      const { publishedAt, score, band, scoreVersion, checks, was } = change;
      data.push({ host: change.host, what, publishedAt, score, band, scoreVersion, checks, was });
    }
    const isKnown = host === null || total > 0 || (await snapshot.listing(host)) !== undefined;
    return isKnown ? { content: { data, total } } : invalid([NO_SITE]);
  },
);
