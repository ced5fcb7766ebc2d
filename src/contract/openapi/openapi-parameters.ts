import type { Parameter } from "../query.js";
import { PATH_PARAMETERS, type Route } from "../routes.js";
import type { OpenApiSchema } from "../values.js";

/** A parameter of a read, as OpenAPI describes it. */
export interface OpenApiParameter {
  readonly name: string;
  readonly in: "path" | "query";
  readonly required: boolean;
  readonly description: string;
  readonly style?: "form";
  readonly explode?: true;
  readonly schema: OpenApiSchema;
  readonly example: unknown;
}

/** The parameters of a read: those of its path, then those of its query. */
export function parametersOf({ path, query }: Route): OpenApiParameter[] {
  const inPath = Object.entries(PATH_PARAMETERS).filter(([name]) => path.includes(`{${name}}`));
  return [
    ...inPath.map(([name, parameter]) => described("path", name, parameter)),
    ...Object.entries(query ?? {}).map(([name, parameter]) => described("query", name, parameter)),
  ];
}

function described(
  place: OpenApiParameter["in"],
  name: string,
  parameter: Parameter,
): OpenApiParameter {
  return {
    name,
    in: place,
    required: parameter.isRequired === true,
    ...(parameter.max === undefined ? {} : { style: "form", explode: true }),
    description: parameter.description,
    schema: parameterSchema(parameter),
    example: parameter.example,
  };
}

/** The schema of the values that a parameter accepts. */
export function parameterSchema({ kind, max, absent }: Parameter): OpenApiSchema {
  const { schema } = kind;
  return {
    ...(absent !== undefined && { default: absent }),
    ...(max === undefined ? schema : { type: "array", items: schema, minItems: 1, maxItems: max }),
  };
}
