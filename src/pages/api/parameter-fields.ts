import type { OpenApiParameter } from "../../contract/openapi/openapi-reads.js";
import type { OpenApiSchema } from "../../contract/values.js";
import { type Html, html } from "../kit/html.js";
import type { Example } from "./examples.js";

/** The values that a parameter accepts, in words: `whole number, 0 to 100`. */
function allowedText(schema: OpenApiSchema): string {
  const { type, minimum, maximum, minLength, maxLength, minItems, maxItems, pattern } = schema;
  if (schema.enum !== undefined) return `one of ${schema.enum.join(", ")}`;
  if (type === "integer") return `whole number, ${minimum} to ${maximum}`;
  if (type === "array") {
    const items = allowedText(schema.items as OpenApiSchema);
    return `repeatable, ${minItems} to ${maxItems} values; each a ${items}`;
  }
  const length = minLength === undefined ? `at most ${maxLength}` : `${minLength} to ${maxLength}`;
  if (pattern?.includes("A-Z")) return `${length} letters, digits, _ and -`;
  if (pattern !== undefined)
    return `slug (lowercase words joined by hyphens), ${length} characters`;
  return `text, ${length} characters`;
}

/**
 * The parameters of a read as the rows of its form. Each row has the name, the allowed values, the description and a
 * control. Optional parameters without a value are disabled until a script runs: a browser would send them empty, and
 * the API rejects an empty value.
 */
export function parameterFields(
  id: string,
  parameters: readonly OpenApiParameter[],
  example: Example,
): Html {
  const isSent = ({ name, required, schema }: OpenApiParameter) =>
    required || schema.default !== undefined || name in example.query;
  const field = (parameter: OpenApiParameter) => fieldOf(id, parameter, example);
  const sent = parameters.filter(isSent);
  const others = parameters.filter((one) => !isSent(one));
  return html`${sent.map(field)}${
    others.length === 0
      ? null
      : html`<fieldset class="optional" data-optional disabled><legend class="hidden">Optional parameters</legend>${others.map(field)}</fieldset>`
  }`;
}

function fieldOf(form: string, parameter: OpenApiParameter, { host, query }: Example): Html {
  const { name, in: place, required, schema, description } = parameter;
  const id = `${form}-${name}`;
  const given = place === "path" ? host : (query[name] ?? schema.default);
  const value = given === undefined || given === null ? "" : [given].flat().join(", ");
  const use = required
    ? "required"
    : schema.default === undefined
      ? "optional"
      : `default ${schema.default}`;
  return html`<div class="field"><label for="${id}"><code>${name}</code> <span class="quiet">${use}</span></label>${control(id, parameter, value)}<p class="quiet" id="${id}-about">${description} <span class="allowed">In the ${place}: ${allowedText(schema)}.</span></p></div>
`;
}

function control(id: string, { name, in: place, schema }: OpenApiParameter, value: string): Html {
  const about = html` id="${id}" aria-describedby="${id}-about"`;
  if (schema.enum !== undefined) {
    const options = schema.default === undefined ? ["", ...schema.enum] : schema.enum;
    return html`<select${about} name="${name}">${options.map(
      (one) =>
        html`<option value="${String(one)}"${one === value ? SELECTED : null}>${one === "" ? "any" : String(one)}</option>`,
    )}</select>`;
  }
  // A form cannot put a value into a path, so without a script the host is fixed.
  const target =
    place === "path"
      ? html` data-path="${name}"`
      : html` name="${name}"${schema.type === "array" ? MANY : null}`;
  const mode = schema.type === "integer" ? NUMERIC : null;
  return html`<input${about} type="text"${target}${mode} value="${value}"${exampleHint(schema)} autocomplete="off" autocapitalize="none" spellcheck="false">`;
}

const SELECTED = html` selected`;
const MANY = html` data-many`;
const NUMERIC = html` inputmode="numeric"`;

function exampleHint({ type }: OpenApiSchema): Html | null {
  return type === "array" ? html` placeholder="one, two"` : null;
}
