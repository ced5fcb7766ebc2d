import { z } from "zod";

/** A schema inside another one. zod types it as a schema of its core; all of ours are made by `z`. */
export function innerType(schema: z.core.$ZodType): z.ZodType {
  if (schema instanceof z.ZodType) return schema;
  throw new TypeError("the schema was not made by zod's classic interface");
}
