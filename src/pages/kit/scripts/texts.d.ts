import type { Asset } from "../assets.js";

/** The scripts of pages with their texts, which no page needs. */
export declare const SCRIPT_ASSETS: readonly Asset[];
