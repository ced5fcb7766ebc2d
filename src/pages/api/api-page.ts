import { SCRIPTS, STYLES } from "#scripts/names";
import { ERROR_TEXTS, errorBody } from "../../contract/error.js";
import { METHODS } from "../../contract/headers.js";
import { readQuery } from "../../contract/query.js";
import {
  ERROR_STATUSES,
  ERRORS,
  errorsOf,
  type OpenApiParameter,
  parametersOf,
  READ_TEXTS,
} from "../../contract/read-descriptions.js";
import { ROUTES, type Route, type RouteName } from "../../contract/routes.js";
import type { OpenApiSchema } from "../../contract/values.js";
import { oneLine } from "../kit/escape.js";
import { framed } from "../kit/frame.js";
import { type Html, html } from "../kit/html.js";
import { absoluteLink, apiLink, hasAnswer, linkedFrom } from "../kit/links.js";
import type { LinkedContext, PageContext } from "../kit/page-context.js";

/**
 * The API as a page for people, at `/api`: every read with its parameters, lines to copy and a form that sends it, and
 * all errors. It is made from the table of routes. Without a script, a form opens the API's own answer.
 * @param known a host that has a report, for the examples; null if the directory has none
 */
export function apiPage(place: PageContext, known: string | null): string {
  const name = oneLine(place.name);
  const reads = Object.keys(ROUTES) as RouteName[];
  const url = absoluteLink("api", place);
  const context = linkedFrom("api", place);
  const description =
    `The public, read-only JSON API of ${name}: ${reads.length} reads, without an account or a key, ` +
    "with parameters, examples and errors.";
  const body = html`<main id="reads" tabindex="-1">
<div class="hero"><div class="wide hero-text">
<p class="eyebrow">For programs</p>
<h1>The API</h1>
<p class="lead">${reads.length} reads, all GET, all JSON. No account and no key.</p>
</div></div>
<div class="wide columns">
<nav class="contents" aria-label="On this page"><ul>${reads.map(
    (read) => html`<li><a href="#${ROUTES[read].id}">${READ_TEXTS[read].summary}</a></li>`,
  )}<li><a href="#errors">Errors</a></li></ul></nav>
<div class="sections" data-base="${context.baseUrl}">
${aboutSection(context)}${reads.map((read) => readSection(read, context, known))}${errorsSection(reads)}</div>
</div>
</main>`;
  return framed(
    {
      title: `API · ${name}`,
      description,
      address: "api",
      style: STYLES.reads,
      script: SCRIPTS.api,
      json: "api/openapi.json",
      main: "reads",
      linkedData: {
        "@context": "https://schema.org",
        "@type": "WebAPI",
        "@id": url,
        url,
        name: `API of ${name}`,
        description,
        documentation: url,
        isAccessibleForFree: true,
      },
      body,
    },
    context,
  );
}

function aboutSection({ baseUrl, downloads = [], to }: LinkedContext): Html {
  const files = downloads.map(
    ({ index, formats }) => html`<div><dt>All listings at once</dt>
  <dd><a href="${to(index)}">${formats}</a>, 
    with the size and the sha256 of each file</dd></div>
`,
  );
  return html`<section id="about" aria-labelledby="about-title"><h2 id="about-title">Before you start</h2>
<dl class="prose">
<div><dt>Base address</dt><dd><code>${baseUrl}</code></dd></div>
<div><dt>Descriptions for tools</dt>
  <dd><a href="${to("api/openapi.json")}">OpenAPI 3.1</a>, 
    <a href="${to(".well-known/api-catalog")}">API catalogue</a>, 
    <a href="${to("llms.txt")}">llms.txt</a></dd></div>
${files}<div><dt>Caching</dt>
  <dd>Every answer has an ETag; send it back as If-None-Match, 
    and an unchanged answer is a 304 without a body.</dd></div>
<div><dt>From web pages</dt><dd>Every origin may read every answer (CORS).</dd></div>
<div><dt>Changes</dt>
  <dd>Answers may gain fields: ignore those that you do not know. A score of null never means zero.</dd></div>
<div><dt>Copies in plain files</dt>
  <dd>A copy of the directory on a server of plain files has no search, suggestions or facets.</dd></div>
</dl>
<p class="no-script notice">Without JavaScript, “Send” opens the answer itself, with the values that are filled in.</p>
</section>
`;
}

function errorsSection(reads: readonly RouteName[]): Html {
  const rows = ERROR_STATUSES.map((status) => {
    const { description } = ERRORS[status];
    const having = reads.filter((read) => errorsOf(ROUTES[read]).includes(status));
    const all = having.length === reads.length;
    const links = having.map((read, index) => [
      index === 0 ? "" : ", ",
      html`<a href="#${ROUTES[read].id}">${ROUTES[read].id}</a>`,
    ]);
    return html`<tr id="error-${status}">
      <th scope="row">${status}</th>
      <td>${description.replaceAll("`", "")}</td>
      <td>${all ? "All" : links}</td></tr>`;
  });
  const wrong = readQuery(ROUTES.search.query, "minScore=80&maxScore=20&sort=best");
  const example = errorBody(ERROR_TEXTS.invalid, wrong.ok ? [] : wrong.issues);
  return html`<section id="errors" aria-labelledby="errors-title"><h2 id="errors-title">Errors</h2>
<p class="measure">Every error has the same body: <code>error</code> says what is wrong, 
  and <code>issues</code>, if there are any, name each wrong parameter. 
  Any other address answers 404, and any other method than ${METHODS} answers 405.</p>
<div class="scroll" role="region" aria-label="Table: Errors" tabindex="0"><table>
  <caption class="hidden">Errors by status</caption>
  <thead><tr><th scope="col">Status</th><th scope="col">When</th><th scope="col">Reads</th></tr></thead>
  <tbody>${rows}</tbody></table></div>
<pre tabindex="0" role="region" aria-label="Example of an error"><code>${JSON.stringify(example, null, 2)}</code></pre>
</section>
`;
}

/** One read: its address, its parameters as a form that sends it, lines to copy, and its errors. */
function readSection(name: RouteName, context: LinkedContext, known: string | null): Html {
  const route: Route = ROUTES[name];
  const { id, path, query } = route;
  const { summary, description } = READ_TEXTS[name];
  const example = exampleOf(name, context, known);
  const parameters = parametersOf(route);
  const address = path.slice(1).replace("{host}", example.host ?? "");
  const action = hasAnswer(address, context) ? html` action="${context.to(address)}"` : null;
  const statuses = errorsOf(route).map((status, index) => [
    index === 0 ? "" : ", ",
    html`<a href="#error-${status}">${status}</a>`,
  ]);
  const ofQuery = query === null ? "None; a query is ignored." : "None; any query is an error.";
  const fields =
    parameters.length === 0
      ? html`<p class="quiet">${ofQuery}</p>`
      : parameterFields(id, parameters, example);
  return html`<section id="${id}" class="read" aria-labelledby="${id}-title"><h2 id="${id}-title">${summary}</h2>
<p class="endpoint"><code>GET ${path}</code></p>
<p class="measure">${description}</p>
<form class="try"${action} method="get" data-read="${path.slice(1)}" novalidate aria-labelledby="${id}-title">
<h3>${parameters.length === 0 ? "Try it" : "Parameters"}</h3>
${fields}<div class="send">
  <button class="button strong">Send</button>
  <button type="reset" class="button needs-script">Reset</button></div>
<p class="hidden" role="status" data-told></p>
<div class="reply" data-reply></div>
</form>
<h3>To copy</h3>
<pre data-copy="Copy the command" data-about="${id}-title"><code>${curlLine(name, example, context)}</code></pre>
<pre data-copy="Copy the program" data-about="${id}-title">
  <code>${clientSnippet(name, example, context.baseUrl)}</code></pre>
<p class="quiet">Answers <code>200</code> with <code>${route.contentType}</code>. Errors: ${statuses}.</p>
</section>
`;
}

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
function parameterFields(
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
      : html`<fieldset class="optional" data-optional disabled>
        <legend class="hidden">Optional parameters</legend>${others.map(field)}</fieldset>`
  }`;
}

function fieldOf(form: string, parameter: OpenApiParameter, { host, query }: Example): Html {
  const { name, in: part, required, schema, description } = parameter;
  const id = `${form}-${name}`;
  const given = part === "path" ? host : (query[name] ?? schema.default);
  const value = given === undefined || given === null ? "" : [given].flat().join(", ");
  const use = required
    ? "required"
    : schema.default === undefined
      ? "optional"
      : `default ${schema.default}`;
  return html`<div class="field">
    <label for="${id}"><code>${name}</code> <span class="quiet">${use}</span></label>
    ${control(id, parameter, value)}
    <p class="quiet" id="${id}-about">${description} 
      <span class="allowed">In the ${part}: ${allowedText(schema)}.</span></p></div>
`;
}

function control(id: string, { name, in: part, schema }: OpenApiParameter, value: string): Html {
  const about = html` id="${id}" aria-describedby="${id}-about"`;
  if (schema.enum !== undefined) {
    const options = schema.default === undefined ? ["", ...schema.enum] : schema.enum;
    return html`<select${about} name="${name}">${options.map(
      (one) =>
        html`<option value="${String(one)}"${one === value ? SELECTED : null}>
          ${one === "" ? "any" : String(one)}</option>`,
    )}</select>`;
  }
  // A form cannot put a value into a path, so without a script the host is fixed.
  const target =
    part === "path"
      ? html` data-path="${name}"`
      : html` name="${name}"${schema.type === "array" ? MANY : null}`;
  const mode = schema.type === "integer" ? NUMERIC : null;
  return html`<input${about} type="text"${target}${mode} value="${value}"${exampleHint(schema)} 
    autocomplete="off" autocapitalize="none" spellcheck="false">`;
}

const SELECTED = html` selected`;
const MANY = html` data-many`;
const NUMERIC = html` inputmode="numeric"`;

function exampleHint({ type }: OpenApiSchema): Html | null {
  return type === "array" ? html` placeholder="one, two"` : null;
}

/** An example request of a read that the directory really answers. */
interface Example {
  /** The host in the path; null if the read has none. */
  readonly host: string | null;
  /** Values of query parameters by name. */
  readonly query: Readonly<Record<string, string | number | readonly string[]>>;
}

/** Shown in a directory that has no report to take as an example. */
const NO_HOST = "example.com";
/** The length of the text to search for, taken from the start of the host. */
const TEXT_LENGTH = 3;

/** @param known a host that has a report; null if the directory has none */
function exampleOf(name: RouteName, context: PageContext, known: string | null): Example {
  const host = known ?? NO_HOST;
  const best = context.rubric.bands.at(-1)?.band;
  const query = {
    search: { sort: "recent", limit: 5 },
    suggestions: { q: host.slice(0, TEXT_LENGTH) },
    facets: best === undefined ? {} : { band: [best] },
  };
  return {
    host: ROUTES[name].path.includes("{host}") ? host : null,
    query: name in query ? query[name as keyof typeof query] : {},
  };
}

/** The path and query of an example, below the base address. */
function examplePath(name: RouteName, { host, query }: Example): string {
  const pairs = Object.entries(query).flatMap(([key, value]) =>
    [value].flat().map((one) => `${key}=${encodeURIComponent(one)}`),
  );
  const path = ROUTES[name].path.replace("{host}", host ?? "");
  return pairs.length === 0 ? path : `${path}?${pairs.join("&")}`;
}

/** A command that sends the example. Quoted, because `&` ends a command. */
function curlLine(name: RouteName, example: Example, context: PageContext): string {
  return `curl "${apiLink(examplePath(name, example).slice(1), context)}"`;
}

/** For each read, the client's function and the parts of the answer that the snippet takes. */
const CALLS: Record<RouteName, readonly [call: string, taken: string]> = {
  search: ["sites", "{ data, pagination }"],
  suggestions: ["suggestions", "{ data }"],
  facets: ["facets", "{ data }"],
  report: ["report", "{ data }"],
  enrichment: ["enrichment", "{ data }"],
  standards: ["standards", "{ data }"],
  categories: ["categories", "{ data }"],
  tags: ["tags", "{ data }"],
  openapi: ["openapi", "description"],
  catalog: ["catalog", "{ linkset }"],
};

/** A program that sends the example with `crawldex/client`. */
function clientSnippet(name: RouteName, { host, query }: Example, baseUrl: string): string {
  const [call, taken] = CALLS[name];
  const given = Object.entries(query).map(([key, value]) => `${key}: ${JSON.stringify(value)}`);
  const parameters = given.length === 0 ? "" : `{ ${given.join(", ")} }`;
  return `import { createClient } from "crawldex/client";

const api = createClient({ baseUrl: ${JSON.stringify(baseUrl)} });
const ${taken} = await api.${call}(${host === null ? parameters : JSON.stringify(host)});`;
}
