import { datasetData } from "../../pages/kit/dataset.js";
import type { PageContext } from "../../pages/kit/page-context.js";
import { licenseData } from "../../pages/kit/publisher-links.js";
import type { DumpIndex } from "./bodies.js";

/** Croissant 1.1, appendix 1: the terms that the document uses. */
const CONTEXT = {
  "@language": "en",
  "@vocab": "http://schema.org/",
  sc: "http://schema.org/",
  cr: "http://mlcommons.org/croissant/",
  dct: "http://purl.org/dc/terms/",
  column: "cr:column",
  conformsTo: "dct:conformsTo",
  dataType: { "@id": "cr:dataType", "@type": "@vocab" },
  extract: "cr:extract",
  field: "cr:field",
  fileObject: "cr:fileObject",
  isArray: "cr:isArray",
  isLiveDataset: "cr:isLiveDataset",
  key: "cr:key",
  recordSet: "cr:recordSet",
  source: "cr:source",
} as const;

/** The records of a dump, by the name of their set. Their fields are read from the Parquet file of that name. */
const LISTINGS = "listings";
const HISTORY = "history";

const TYPES = {
  text: "sc:Text",
  integer: "sc:Integer",
  boolean: "sc:Boolean",
  "list of texts": "sc:Text",
} as const;

/**
 * A dump as Croissant 1.1 (http://mlcommons.org/croissant/1.1), which is a schema.org `Dataset` with a sha256 for
 * each file and a type for each column. Without a license in directory.json it lacks one, though Croissant asks for
 * it.
 */
export function croissant(
  { content, generation, scannedTo, rows, files, columns, history }: DumpIndex["data"],
  context: PageContext,
): object {
  const dataset = datasetData(context, { sites: rows, scannedTo, generation });
  return {
    "@context": CONTEXT,
    ...dataset,
    "@type": "sc:Dataset",
    conformsTo: "http://mlcommons.org/croissant/1.1",
    identifier: content,
    ...licenseData(context),
    ...(scannedTo !== null && { datePublished: scannedTo }),
    isLiveDataset: true,
    distribution: [...files, ...history.files].map(({ file, url, mediaType, bytes, sha256 }) => ({
      "@type": "cr:FileObject",
      "@id": file,
      name: file,
      contentUrl: url,
      contentSize: `${bytes} B`,
      encodingFormat: mediaType,
      sha256,
    })),
    recordSet: [
      { ...recordSet(LISTINGS, columns), key: { "@id": `${LISTINGS}/host` } },
      ...(history.files.length > 0 ? [recordSet(HISTORY, history.columns)] : []),
    ],
  };
}

function recordSet(name: string, columns: DumpIndex["data"]["columns"]) {
  const fields = columns.map(({ name: column, type, description }) => ({
    "@type": "cr:Field",
    "@id": `${name}/${column}`,
    name: column,
    description,
    dataType: TYPES[type],
    ...(type === "list of texts" && { isArray: true }),
    source: { fileObject: { "@id": `${name}.parquet` }, extract: { column } },
  }));
  return { "@type": "cr:RecordSet", "@id": name, name, field: fields };
}
