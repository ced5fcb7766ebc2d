import { installExtras } from "../src/extra.js";
import { EXTRAS } from "../src/extras/index.js";

// Imported before any command is made, as extras add options to commands.
installExtras(EXTRAS);
