import { describeExportKills } from "./export-kills.js";

describeExportKills();
