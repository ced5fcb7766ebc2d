import type { Client } from "../client/client.js";
import { filesView, hostMeant, NO_HOST } from "../pages/explorer/problem-view.js";
import { fill } from "./dom.js";
import { announce, byId, elements } from "./page-elements.js";
import { linkTo } from "./tree.js";

/**
 * Shows what readers can open when there are only files and no API.
 * @param isStill called once the categories have loaded; returns whether this view is still wanted
 */
export async function showFiles(client: Client, isStill: () => boolean): Promise<void> {
  elements.form.classList.add("files");
  fill(elements.results, filesView([]));
  const { data } = await client.categories().catch(() => ({ data: [] }));
  const names = data.map(({ name }) => name);
  if (isStill()) fill(elements.results, filesView(names));
}

/** Opens the report of the host in the text box, or says that the text is not a host. */
export function openReport(): void {
  const host = hostMeant(byId("host", HTMLInputElement).value);
  byId("host-wrong", HTMLElement).hidden = host !== null;
  if (host === null) announce(NO_HOST);
  else location.assign(linkTo(`sites/${encodeURIComponent(host)}`));
}
