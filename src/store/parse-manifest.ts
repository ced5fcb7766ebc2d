import { setImmediate as pause } from "node:timers/promises";
import { z } from "zod";
import { own } from "../contract/tables.js";
import { MANIFEST_BYTES_MAX, Manifest, RECORD_MEMBERS_MAX } from "./format.js";

/** Bytes of UTF-8 between two pauses: they are decoded within a few milliseconds. */
const DECODED_AT_ONCE = 1024 * 1024;

/**
 * Reads a manifest that may be hostile, in slices between which other work of the thread is done.
 * @returns null if it is not a manifest of the format that this version reads
 */
export async function parseManifest(bytes: Uint8Array): Promise<Manifest | null> {
  if (bytes.length > MANIFEST_BYTES_MAX) return null;
  try {
    const steps = parseInSlices(Manifest, await decoded(bytes));
    for (let step = steps.next(); ; step = steps.next()) {
      if (step.done) return step.value;
      await pause();
    }
  } catch {
    return null;
  }
}

async function decoded(bytes: Uint8Array): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for (let at = 0; at < bytes.length; at += DECODED_AT_ONCE) {
    if (at > 0) await pause();
    text += decoder.decode(bytes.subarray(at, at + DECODED_AT_ONCE), { stream: true });
  }
  return text + decoder.decode();
}

/** Characters between two pauses: they are read within a few milliseconds. No text is longer. */
const SLICE = 64 * 1024;

/** A mark, a text with at most 9,999 escapes, another scalar, or the end, after white space. */
const TOKEN = /[ \t\r\n]*([{}[\],:]|"[^"\\]*(?:\\.[^"\\]*){0,9999}"|[^\s{}[\],:"]+|$)/y;

/**
 * Reads JSON that may be hostile. It stops at the first value that the schema does not allow, while JSON.parse takes
 * two seconds for 12 MB of `{},`, and zod collects the problems of all its entries for minutes.
 * @param schema made of strict objects, small records, arrays and scalars. Rules of a whole object or array are not
 * checked
 * @returns a generator of the value. It yields every few milliseconds, so that its caller can do other work
 * @throws an error if the text is not JSON or does not match the schema
 */
function* parseInSlices<S extends z.ZodObject>(
  schema: S,
  text: string,
): Generator<void, z.output<S>> {
  const reader = new JsonReader(text);
  const value = yield* reader.read(schema);
  reader.expect("");
  // `read` has checked every member.
  return value as z.output<S>;
}

class JsonReader {
  readonly #text: string;
  #at = 0;
  #sliceEnd = SLICE;
  #token: string;

  constructor(text: string) {
    this.#text = text;
    this.#token = this.#scan();
  }

  *read(schema: z.core.$ZodType): Generator<void, unknown> {
    if (schema instanceof z.ZodOptional) return yield* this.read(schema.unwrap());
    if (schema instanceof z.ZodObject) return yield* this.#object(schema.shape);
    if (schema instanceof z.ZodRecord) return yield* this.#record(schema);
    if (schema instanceof z.ZodArray) return yield* this.#array(schema.element);
    return z.parse(schema, this.#scalar());
  }

  expect(token: string): void {
    if (!this.#accepts(token)) throw new SyntaxError(`expected ${token} near ${this.#at}`);
  }

  *#object(shape: z.core.$ZodShape): Generator<void, Record<string, unknown>> {
    const value: Record<string, unknown> = {};
    this.expect("{");
    for (let isFirst = true; !this.#ends("}", isFirst); isFirst = false) {
      const name = String(this.#scalar());
      const member = own(shape, name);
      if (member === undefined || Object.hasOwn(value, name)) {
        throw new SyntaxError(`unexpected member near ${this.#at}`);
      }
      this.expect(":");
      value[name] = yield* this.read(member);
    }
    for (const [name, member] of Object.entries(shape)) {
      if (!Object.hasOwn(value, name)) z.parse(member, undefined);
    }
    return value;
  }

  *#record({ keyType, valueType }: z.core.$ZodRecord & z.ZodRecord): Generator<void, unknown> {
    const value: Record<string, unknown> = {};
    this.expect("{");
    for (let count = 0; !this.#ends("}", count === 0); count += 1) {
      const name = String(z.parse(keyType, this.#scalar()));
      if (count === RECORD_MEMBERS_MAX || Object.hasOwn(value, name)) {
        throw new SyntaxError(`unexpected member near ${this.#at}`);
      }
      this.expect(":");
      value[name] = yield* this.read(valueType);
    }
    return value;
  }

  *#array(element: z.core.$ZodType): Generator<void, unknown[]> {
    const value: unknown[] = [];
    this.expect("[");
    for (let isFirst = true; !this.#ends("]", isFirst); isFirst = false) {
      value.push(yield* this.read(element));
      if (this.#at < this.#sliceEnd) continue;
      this.#sliceEnd = this.#at + SLICE;
      yield;
    }
    return value;
  }

  /** Whether an object or array ends here. Reads its closing mark, or else the comma before its next member. */
  #ends(mark: string, isFirst: boolean): boolean {
    if (this.#accepts(mark)) return true;
    if (!isFirst) this.expect(",");
    return false;
  }

  #accepts(token: string): boolean {
    if (this.#token !== token) return false;
    this.#token = this.#scan();
    return true;
  }

  /** Reads a text, a number, true, false or null. */
  #scalar(): unknown {
    const value: unknown = JSON.parse(this.#token);
    this.#token = this.#scan();
    return value;
  }

  #scan(): string {
    TOKEN.lastIndex = this.#at;
    const token = TOKEN.exec(this.#text)?.[1];
    if (token === undefined || token.length > SLICE)
      throw new SyntaxError(`unexpected character near ${this.#at}`);
    this.#at = TOKEN.lastIndex;
    return token;
  }
}
