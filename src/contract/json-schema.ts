import * as z from "zod";
import type { OpenApiSchema } from "./values.js";

/** Changes a schema in place. @param type the zod type that it was made from */
type Adjust = (schema: OpenApiSchema, type: z.core.$ZodType) => void;

/**
 * Makes the JSON Schema of a type: draft 2020-12, limited to keywords that mean the same in draft-07, because many
 * generators and validators know only that one.
 * @param io whether the schema describes values before ("input") or after ("output") defaults
 * @param adjust called for each schema inside it, the inner ones first. Default: changes nothing
 */
export function jsonSchemaOf(
  type: z.ZodType,
  io: "input" | "output",
  adjust: Adjust = () => {},
): OpenApiSchema {
  return z.toJSONSchema(type, {
    target: "draft-2020-12",
    io,
    // The metadata of a free-form object already describes it.
    unrepresentable: ({ zodSchema }) => (zodSchema instanceof z.ZodCustom ? "any" : "throw"),
    override: ({ jsonSchema, zodSchema }) => {
      adjust(jsonSchema, zodSchema);
      listOfTuple(jsonSchema);
    },
  });
}

/** Describes a tuple as a list of its length. Draft-07 reads `items` beside `prefixItems` as a rule for every item. */
function listOfTuple(schema: OpenApiSchema): void {
  const { prefixItems } = schema;
  if (prefixItems === undefined) return;
  const members = prefixItems as OpenApiSchema[];
  delete schema.prefixItems;
  schema.items = sharedRules(members);
  schema.minItems = members.length;
  schema.maxItems = members.length;
}

/**
 * The rules that all schemas have in common. @throws TypeError if their types differ: no list describes such a tuple
 */
function sharedRules([first = {}, ...others]: readonly OpenApiSchema[]): OpenApiSchema {
  const shared = Object.entries(first).filter(([keyword, rule]) =>
    others.every((other) => JSON.stringify(other[keyword]) === JSON.stringify(rule)),
  );
  const rules = Object.fromEntries(shared);
  if (rules.type === undefined) throw new TypeError("a published tuple needs members of one type");
  return rules;
}
