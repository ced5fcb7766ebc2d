import type { ExtensionName } from "../../contract/extensions.js";
import type { QueryReading } from "../../contract/query.js";
import type { Answer } from "./answer.js";
import type { Content, Failure, SnapshotView, Traits } from "./content.js";
import type { RequestBody } from "./request-body.js";

/* The parts of extensions, the addresses beyond the contract, that answering a request needs. */

/** The content of an extension's 200. Its traits count before those of the table of extensions. */
export type ExtensionContent = Content & Partial<Traits>;

/** A valid query of an extension, with the content that answers it. */
export interface AskedExtension {
  /** The query in a fixed order, without parameters that equal their defaults. */
  readonly text: string;
  /**
   * Finds the content in a snapshot.
   * @param parameter the path parameter as sent; null if the address has none
   * @throws if a stored file is missing or damaged
   */
  contentIn(snapshot: SnapshotView, parameter: string | null): Promise<ExtensionContent | Failure>;
}

/** One read beyond the contract: it reads a raw query, the text after the `?`. */
export interface ExtensionRead {
  ask(raw: string): QueryReading<AskedExtension>;
  /** Answers a POST. Absent: the address has none. */
  readonly post?: ExtensionPost;
}

/** What answers the POST of an address: a read whose question is too long for a query. */
export interface ExtensionPost {
  /** The methods of the address, as `Allow` names them. */
  readonly methods: string;
  /** The most bytes of a body. */
  readonly bytesMax: number;
  /**
   * Answers a body, or finds the content that does.
   * @param posted the body's JSON, and the request's headers
   * @param onDamage called for each stored file that is missing or damaged, where the answer says so itself
   * @throws if a stored file is missing or damaged
   */
  answer(
    posted: { readonly value: unknown; readonly body: RequestBody },
    snapshot: SnapshotView,
    onDamage: (error: Error) => void,
  ): Promise<Answer | Content>;
}

/** The reads beyond the contract. One that is left out has no address. */
export type Extensions = Readonly<Partial<Record<ExtensionName, ExtensionRead>>>;

/** What answers the addresses of the MCP server, and of what tells agents about it. */
export type McpReads = Pick<Extensions, "mcp" | "serverCard" | "ard" | "aiCatalog">;
