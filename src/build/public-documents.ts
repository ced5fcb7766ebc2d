import type { DirectoryContext } from "../compile/directory.js";
import { FIGURES_DOCUMENT, type Figures } from "../contract/figures.js";
import { apiCatalog, openApiDocument } from "../contract/openapi.js";
import { ROUTES } from "../contract/routes.js";
import type { DirectoryRecord } from "../published/checking/schemas.js";
import type { PublicDocument } from "./publish.js";

/** The documents that do not belong to one listing, as final bytes, in the order of their paths. */
export function publicDocuments(
  directory: DirectoryRecord,
  context: DirectoryContext,
  figures: Figures,
): PublicDocument[] {
  const bodies = {
    [ROUTES.catalog.document]: apiCatalog(directory),
    [ROUTES.categories.document]: { data: context.categories },
    [ROUTES.openapi.document]: openApiDocument(directory),
    [ROUTES.standards.document]: { data: context.standards },
    [ROUTES.tags.document]: { data: context.tags },
  };
  return [
    ...Object.entries(bodies).map(([path, body]) => documentAt(path, body)),
    documentAt(FIGURES_DOCUMENT, figures),
  ];
}

/** A public document that is JSON. */
export function documentAt(path: string, body: unknown): PublicDocument {
  return { path, bytes: Buffer.from(JSON.stringify(body)) };
}
