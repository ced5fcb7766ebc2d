/** The code that draws a listing's pages: one of the parts that `PageParts` names. */
export { badge } from "../../pages/report/badge.js";
export { badgeLook } from "../../pages/report/badge-look.js";
export { cardSvg } from "../../pages/report/card.js";
export { readDrawn } from "../../pages/report/excerpt.js";
export { reportMarkdown } from "../../pages/report/report-markdown.js";
export { reportPage } from "../../pages/report/report-page.js";
