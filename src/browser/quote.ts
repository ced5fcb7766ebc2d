import "./copy.js";
import { dropBrokenLogos } from "./logos.js";
import "./register.js";

/* The script of pages that have facts to copy or logos, and nothing else to run. */

dropBrokenLogos();
