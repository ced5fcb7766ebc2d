import { errorsOf, parametersOf } from "../../contract/openapi/openapi-reads.js";
import { ROUTES, type Route, type RouteName } from "../../contract/routes.js";
import { type Html, html } from "../kit/html.js";
import type { PageContext } from "../kit/page-context.js";
import { clientSnippet, curlLine, exampleOf } from "./examples.js";
import { parameterFields } from "./parameter-fields.js";

/** One read: its address, its parameters as a form that sends it, lines to copy, and its errors. */
export function readSection(name: RouteName, context: PageContext, known: string | null): Html {
  const route: Route = ROUTES[name];
  const { id, path, summary, description, query } = route;
  const example = exampleOf(name, context, known);
  const parameters = parametersOf(route);
  const action = path.slice(1).replace("{host}", example.host ?? "");
  const statuses = errorsOf(route).map((status, place) => [
    place === 0 ? "" : ", ",
    html`<a href="#error-${status}">${status}</a>`,
  ]);
  return html`<section id="${id}" class="read" aria-labelledby="${id}-title"><h2 id="${id}-title">${summary}</h2>
<p class="endpoint"><code>GET ${path}</code></p>
<p class="measure">${description}</p>
<form class="try" action="${action}" method="get" data-read="${path.slice(1)}" novalidate aria-labelledby="${id}-title">
<h3>${parameters.length === 0 ? "Try it" : "Parameters"}</h3>
${parameters.length === 0 ? html`<p class="quiet">${query === null ? "None; a query is ignored." : "None; any query is an error."}</p>` : parameterFields(id, parameters, example)}<div class="send"><button class="button strong">Send</button><button type="reset" class="button needs-script">Reset</button></div>
<p class="hidden" role="status" data-told></p>
<div class="reply" data-reply></div>
</form>
<h3>To copy</h3>
<pre data-copy="Copy the command" data-about="${id}-title"><code>${curlLine(name, example, context.baseUrl)}</code></pre>
<pre data-copy="Copy the program" data-about="${id}-title"><code>${clientSnippet(name, example, context.baseUrl)}</code></pre>
<p class="quiet">Answers <code>200</code> with <code>${route.contentType}</code>. Errors: ${statuses}.</p>
</section>
`;
}
