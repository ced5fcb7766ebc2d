import { describe, expect, it } from "vitest";
import { DumpBody } from "../../../src/extras/dumps/bodies.js";
import { aListing, aPublishedDirectory, aScan, theDirectory } from "../../fixtures.js";
import { send, sharedService } from "../../server/http.js";

const service = sharedService(
  aPublishedDirectory({
    directory: { ...theDirectory(), license: "CC0-1.0", contact: "mailto:editors@example.com" },
    listings: ["a.com", "b.com"].map((host) => aListing({ host })),
    scans: ["a.com", "b.com"].map((host) => aScan({ host, id: host.slice(0, 1) })),
  }),
);

type Json = Record<string, unknown>;

/** Names that Croissant 1.1 takes from schema.org, by what the rules of the specification say of them. */
const REQUIRED = [
  "@context",
  "@type",
  "conformsTo",
  "description",
  "license",
  "name",
  "url",
  "creator",
  "datePublished",
  "distribution",
];
const SCHEMA_ORG = ["@id", "identifier", "isAccessibleForFree", "version", "dateModified"];

/** Every name and value in an object, at any depth. */
function* membersIn(value: unknown): Generator<readonly [name: string, value: unknown]> {
  if (typeof value !== "object" || value === null) return;
  for (const [name, part] of Object.entries(value)) {
    if (!Array.isArray(value)) yield [name, part];
    yield* membersIn(part);
  }
}

describe("croissant.json", () => {
  it("follows the rules of Croissant 1.1, and has the sha256 of each file and the type of each column", async () => {
    const reply = await send(service.server, "/api/dump/croissant.json");
    expect(reply.headers["content-type"]).toBe("application/ld+json");
    const document = JSON.parse(reply.text);
    const index = JSON.parse((await send(service.server, "/api/dump/")).text);
    const { data } = DumpBody.parse(index);
    for (const name of REQUIRED) expect([name, document[name] ?? null]).not.toEqual([name, null]);
    expect(document["@type"]).toBe("sc:Dataset");
    expect(document.conformsTo).toBe("http://mlcommons.org/croissant/1.1");
    expect(document.license).toBe("https://spdx.org/licenses/CC0-1.0.html");
    expect(document.version).toMatch(/^\d+\.\d+\.\d+$/);
    expect(document.creator).toMatchObject({ "@type": "Organization", name: "A directory" });
    // Each term is schema.org's, or the context says what it means; no term of the context is unused.
    const { "@context": context, ...rest } = document;
    const own = Object.keys(context).filter((term) => !/^(?:@|sc$|cr$|dct$)/.test(term));
    const named = new Set(Array.from(membersIn(rest), ([name]) => name));
    expect(own.filter((term) => !named.has(term))).toEqual([]);
    expect(
      Object.keys(rest)
        .filter((name) => !own.includes(name))
        .sort(),
    ).toEqual(
      [...REQUIRED, ...SCHEMA_ORG]
        .filter((name) => name !== "@context" && !own.includes(name))
        .sort(),
    );
    const files: Json[] = document.distribution;
    expect(files).toEqual(
      [...data.files, ...data.history.files].map(({ file, url, mediaType, bytes, sha256 }) => ({
        "@type": "cr:FileObject",
        "@id": file,
        name: file,
        contentUrl: url,
        contentSize: `${bytes} B`,
        encodingFormat: mediaType,
        sha256,
      })),
    );
    const [records, history] = document.recordSet;
    for (const one of document.recordSet) expect(one["@type"]).toBe("cr:RecordSet");
    expect(document.recordSet.length).toBe(2);
    // Every reference is to something that has this id, and no id is there twice.
    const ids = Array.from(membersIn(rest)).flatMap(([name, value]) => {
      const isOne = typeof value === "object" && value !== null && "@id" in value;
      return name === "@id"
        ? [value]
        : isOne && Object.keys(value).length === 1
          ? [value["@id"]]
          : [];
    });
    const fields = [...records.field, ...history.field];
    const defined = [document["@id"], ...files, records, history, ...fields].map((one) =>
      typeof one === "string" ? one : one["@id"],
    );
    expect(new Set(defined).size).toBe(defined.length);
    expect(ids.filter((id) => !defined.includes(id))).toEqual([]);
    const atomic = { text: "sc:Text", integer: "sc:Integer", boolean: "sc:Boolean" } as const;
    const fieldsOf = (set: string, columns: typeof data.columns) =>
      columns.map(({ name, type, description }) => ({
        "@type": "cr:Field",
        "@id": `${set}/${name}`,
        name,
        description,
        dataType: type === "list of texts" ? "sc:Text" : atomic[type],
        ...(type === "list of texts" && { isArray: true }),
        source: { fileObject: { "@id": `${set}.parquet` }, extract: { column: name } },
      }));
    expect(records.field).toEqual(fieldsOf("listings", data.columns));
    expect(history.field).toEqual(fieldsOf("history", data.history.columns));
    expect(data.history.columns.map(({ name }) => name).join()).toBe(
      "host,scannedAt,score,band,scoreVersion",
    );
    expect(records.key).toEqual({ "@id": "listings/host" });
  });

  it("is linked from the dump, and the home page has the same dataset as linked data", async () => {
    const { headers } = await send(service.server, "/api/dump/");
    expect(headers.link).toBe('<croissant.json>; rel="describedby"; type="application/ld+json"');
    const accept = { headers: { accept: "text/html" } };
    const { text } = await send(service.server, "/", accept);
    const [, script = ""] = /ld\+json">(.*?)<\/script>/s.exec(text) ?? [];
    const linked = JSON.parse(script);
    const croissant = JSON.parse((await send(service.server, "/api/dump/croissant.json")).text);
    const dataset = linked["@graph"].find((one: Json) => one["@type"] === "Dataset");
    for (const name of ["@id", "name", "description", "creator", "version", "dateModified"])
      expect([name, dataset[name]]).toEqual([name, croissant[name]]);
    expect(linked.license).toBe(croissant.license);
    const urls = dataset.distribution.map(({ contentUrl }: Json) => contentUrl);
    const listings: Json[] = croissant.distribution;
    for (const { contentUrl } of listings.filter(({ name }) => /^listings/.test(`${name}`)))
      expect(urls).toContain(`${contentUrl}`.replace(/\?.*/, ""));
  });
});
