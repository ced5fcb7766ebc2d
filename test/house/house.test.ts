// One file, so that one process parses the sources, once.
import "./directions.js";
import "./regexps.js";
import "./rules.js";
