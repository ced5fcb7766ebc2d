/** The code that draws the pages about scores, the API and the site itself: one of the parts that `PageParts` names. */
export { apiPage } from "../../pages/api/api-page.js";
export { llmsText, robotsText } from "../../pages/feeds/guides.js";
export { standardsPage } from "../../pages/standards/standards-page.js";
