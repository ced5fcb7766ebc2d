/** The code that draws the pages about the whole directory: one of the parts that `PageParts` names. */
export { apiPage } from "../../pages/api/api-page.js";
export { explorerPage } from "../../pages/explorer/explorer-page.js";
export { llmsText, robotsText } from "../../pages/feeds/guides.js";
export { standardsPage } from "../../pages/standards/standards-page.js";
export { shownAt } from "./shown.js";
