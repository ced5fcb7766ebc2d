import { ROUTES } from "../routes.js";

/**
 * The catalogue of the APIs published at an address; it lists this API alone (contract section 4, other
 * addresses; RFC 9727, with the relations of RFC 8631), as sets of links (RFC 9264, section 4.2).
 * @param publisher.baseUrl the API's base address, without a trailing slash.
 */
export function apiCatalog({ baseUrl }: { readonly baseUrl: string }) {
  const { path, contentType } = ROUTES.openapi;
  return {
    linkset: [
      {
        anchor: `${baseUrl}/api`,
        "service-desc": [{ href: `${baseUrl}${path}`, type: contentType }],
        "service-doc": [{ href: `${baseUrl}/api`, type: "text/html" }],
      },
    ],
  };
}

/**
 * The `Link` header of the catalogue's own address (RFC 9727, section 2). The link is relative to that
 * address, so that it works below any base address. The profile states the kind of linkset (RFC 9727,
 * section 4.2).
 */
export const API_CATALOG_LINK =
  '<../.well-known/api-catalog>; rel="api-catalog", <https://www.rfc-editor.org/info/rfc9727>; rel="profile"';
