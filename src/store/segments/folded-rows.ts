import { foldText } from "../../contract/order.js";
import { FIELD_END, type ListingColumns } from "../columns/listings.js";
import { type Texts, textAt } from "../columns/texts.js";
import type { TextColumns } from "./rows.js";

/** Folded host, name and tagline of each row, each ended by FIELD_END. */
export function foldedOf(
  { host, name, tagline }: TextColumns,
  live: Uint32Array,
): Pick<ListingColumns, "units" | "fields"> {
  const searched = [host, name, tagline];
  const fields = new Uint32Array(searched.length * live.length + 1);
  const room = searched.reduce((sum, { values }) => sum + values.bytes.length, 0);
  const units = new Units(room + fields.length);
  let field = 0;
  for (const row of live) {
    for (const { values, starts, named } of searched) {
      if (starts[row] !== starts[row + 1]) units.fold(values, named[starts[row]!]!);
      units.endField();
      field += 1;
      fields[field] = units.length;
    }
  }
  return { units: units.taken(), fields };
}

/** UTF-16 code units that grow. */
class Units {
  #units: Uint16Array;
  length = 0;

  constructor(room: number) {
    this.#units = new Uint16Array(room);
  }

  /** Appends a folded text. */
  fold(texts: Texts, text: number): void {
    const { bytes, starts } = texts;
    const [start, end] = [starts[text]!, starts[text + 1]!];
    this.#reserve(end - start);
    const shift = this.length - start;
    for (let at = start; at < end; at += 1) {
      const byte = bytes[at]!;
      if (byte > 0x7f) {
        this.#append(foldText(textAt(texts, text)));
        return;
      }
      this.#units[at + shift] = byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte;
    }
    this.length += end - start;
  }

  endField(): void {
    this.#reserve(1);
    this.#units[this.length] = FIELD_END;
    this.length += 1;
  }

  taken(): Uint16Array {
    return this.#units.slice(0, this.length);
  }

  #append(text: string): void {
    this.#reserve(text.length);
    for (let at = 0; at < text.length; at += 1) this.#units[this.length + at] = text.charCodeAt(at);
    this.length += text.length;
  }

  #reserve(more: number): void {
    const needed = this.length + more;
    if (needed <= this.#units.length) return;
    const larger = new Uint16Array(Math.max(needed, 2 * this.#units.length));
    larger.set(this.#units);
    this.#units = larger;
  }
}
