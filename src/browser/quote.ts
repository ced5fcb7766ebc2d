import "./copy.js";
import "./register.js";

/* The script of pages that have facts to copy, and nothing else to run. */
