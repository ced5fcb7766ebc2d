import type { ExtensionName } from "../../contract/extensions.js";
import type { QueryReading } from "../../contract/query.js";
import type { Content, Failure, SnapshotView, Traits } from "./content.js";

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
}

/** The reads beyond the contract. One that is left out has no address. */
export type Extensions = Readonly<Partial<Record<ExtensionName, ExtensionRead>>>;
