import { installExtras } from "../src/extra.js";
import { EXTRAS } from "../src/extras/index.js";

// Tests call functions of the core as the command line and the library do: with all extras.
installExtras(EXTRAS);
