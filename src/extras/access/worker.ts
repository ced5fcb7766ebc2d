// What the worker of a packed tree takes: the page of the methodology leads to this page.
export { PAGES } from "./pages.js";
