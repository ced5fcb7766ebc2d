import * as z from "zod";
import { field } from "../../../src/contract/field.js";
import type { ExtensionDescription } from "../../../src/contract/openapi.js";
import { PUBLICATION } from "./reads.js";

/** What the description of the API says of the read. Only builds load it, so it may use zod. */
export const DESCRIPTIONS: readonly ExtensionDescription[] = [
  {
    route: PUBLICATION,
    body: z.strictObject({
      data: field(
        z.strictObject({
          number: field(z.int().min(1), "The publication's number, from 1.", 12),
        }),
        "The current publication.",
      ),
    }),
    texts: {
      summary: "Read the number of the current publication",
      description: "It rises by one with each publication that changes an answer.",
    },
  },
];
