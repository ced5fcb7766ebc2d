import type { PublishedStandards } from "../../../input/records.js";

/** standards.json as a module. See ../.build/standards.ts. */
declare const standards: PublishedStandards;
export default standards;
