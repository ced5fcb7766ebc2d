import { oneLine } from "../../pages/kit/escape.js";
import { absoluteLink } from "../../pages/kit/links.js";
import type { PageContext, SocialImageOf } from "../../pages/kit/page-context.js";
import { bandLabel } from "../../pages/kit/words.js";
import { CARD_SIZE, type CardData } from "./card.js";

/** The card that other sites show beside a link to a page. */
export const cardOf: SocialImageOf = (report, context) =>
  report === null
    ? {
        ...CARD_SIZE,
        url: absoluteLink("card.png", context),
        text: `${oneLine(context.name)}: how readable websites are to AI crawlers`,
      }
    : {
        ...CARD_SIZE,
        url: absoluteLink(`sites/${report.site.host}/card.png`, context),
        text: cardText(report, context),
      };

/** What a report's card says, as its alternative text: `example.com: 71 of 100, Readable`. */
export function cardText({ site, scan }: CardData, context: PageContext): string {
  if (scan.score === null) return `${site.host}: no score`;
  const band = oneLine(bandLabel(scan, context) ?? "");
  return `${site.host}: ${scan.score} of 100${band === "" ? "" : `, ${band}`}`;
}
