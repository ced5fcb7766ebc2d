import { z } from "zod";
import { BODIES } from "../bodies.js";
import { ErrorBody } from "../error-body.js";
import { byCodeUnit } from "../order.js";
import { ROUTE_NAMES, ROUTES, type RouteName } from "../routes.js";
import type { OpenApiSchema } from "../values.js";

const COMPONENTS = "#/components/schemas/";

export function refTo(component: string): OpenApiSchema {
  return { $ref: `${COMPONENTS}${component}` };
}

/** The name of the component that holds a route's body, such as `SearchSitesAnswer` for `searchSites`. */
export function answerName(name: RouteName): string {
  const { id } = ROUTES[name];
  return `${id.charAt(0).toUpperCase()}${id.slice(1)}Answer`;
}

/**
 * Every schema that answers need, by name: the bodies of answers, the error body, and each object of the contract
 * that has an id. Sorted, so that the order of imports has no effect.
 */
export function componentSchemas(): Record<string, OpenApiSchema> {
  const bodies = ROUTE_NAMES.map((name) => [answerName(name), BODIES[name]] as const);
  const schema = schemaOf(z.object({ ...Object.fromEntries(bodies), Error: ErrorBody }));
  const properties = propertiesOf(schema);
  const answers = bodies.map(([name]) => [name, properties[name]] as const);
  const named = [...answers, ...Object.entries(schema.$defs ?? {})];
  return Object.fromEntries(named.sort(([a], [b]) => byCodeUnit(a, b))) as Schemas;
}

function schemaOf(type: z.ZodType): OpenApiSchema {
  const schema = z.toJSONSchema(type, {
    target: "draft-2020-12",
    io: "output",
    // The metadata of a free-form object already describes it.
    unrepresentable: ({ zodSchema }) => (zodSchema instanceof z.ZodCustom ? "any" : "throw"),
    override: ({ jsonSchema }) => loosen(jsonSchema),
  });
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', `"${COMPONENTS}`));
}

type Schemas = Record<string, OpenApiSchema>;

/** The schemas of an object's properties. None of ours is a boolean. */
export function propertiesOf({ properties }: OpenApiSchema): Schemas {
  return properties as Schemas;
}

/** Removes the limits that zod adds and the contract does not have. */
function loosen(schema: OpenApiSchema): void {
  // Response objects may gain fields (contract section 9).
  if (schema.additionalProperties === false) delete schema.additionalProperties;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  // zod adds a pattern for the calendar; the format already covers it.
  if (schema.format === "date-time") delete schema.pattern;
}
