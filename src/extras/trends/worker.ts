// What the worker of a packed tree takes: the header of reports leads to this page.
export { PAGES } from "./pages.js";
