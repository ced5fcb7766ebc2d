import type { Client } from "../client/client.js";
import { filesView, hostMeant, NO_HOST } from "../pages/explorer/problem-view.js";
import { fill } from "./dom.js";
import { byId, places, tell } from "./places.js";

/**
 * Shows what can be read where there are only files.
 * @param isStill whether that is so when the categories have come
 */
export async function showFiles(client: Client, isStill: () => boolean): Promise<void> {
  places.form.classList.add("files");
  fill(places.results, filesView([]));
  const { data } = await client.categories().catch(() => ({ data: [] }));
  const names = data.map(({ name }) => name);
  if (isStill()) fill(places.results, filesView(names));
}

/** Opens the report of the host that was written, or says that it is none. */
export function openReport(): void {
  const host = hostMeant(byId("host", HTMLInputElement).value);
  byId("host-wrong", HTMLElement).hidden = host !== null;
  if (host === null) tell(NO_HOST);
  else location.assign(`sites/${encodeURIComponent(host)}`);
}
