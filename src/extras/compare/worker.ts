// What the worker of a packed tree takes: reports lead to these pages.
export { PAGES } from "./pages.js";
