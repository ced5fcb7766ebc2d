// What the worker of a packed tree takes: the foot of reports leads to this page.
export { PAGES } from "./pages.js";
