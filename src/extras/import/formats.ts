import { a14y } from "./a14y/a14y.js";
import { afdocs } from "./afdocs/afdocs.js";
import { cloudflare } from "./cloudflare/cloudflare.js";
import { lighthouse } from "./lighthouse/lighthouse.js";
import type { ScannerFormat } from "./scanner.js";

/** The scanners whose own files can be imported. */
export const FORMATS: readonly ScannerFormat[] = [lighthouse, afdocs, a14y, cloudflare];
