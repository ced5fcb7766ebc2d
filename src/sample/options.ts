import { type OptionTable, wholeNumber, withDefault } from "../lib/options.js";

/** Options of `writeSample`. */
export interface SampleOptions {
  /** Writes only the first listings: 0 to 500. Default: 500, all that the package has. */
  readonly listings?: number | undefined;
}

export const SAMPLE_OPTIONS = {
  listings: withDefault(wholeNumber(0, 500), 500, {
    flags: "--listings <count>",
    help: "write only this many listings; for more than 500, run `npm run sample` in a clone of crawldex",
  }),
} satisfies OptionTable<SampleOptions>;
