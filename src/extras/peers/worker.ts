// What the worker of a packed tree takes: reports lead to this page.
export { PAGES } from "./pages.js";
