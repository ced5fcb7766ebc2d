/** The code that draws the explorer: one of the parts that `PageParts` names. */
export { explorerPage } from "../../pages/explorer/explorer-page.js";
export { shownAt } from "./explorer-state.js";
