/** Folds a text for matching, as docs/contract.md#41-folding says; both sides are folded. */
export function fold(text: string): string {
  return [...text.normalize("NFC")]
    .map((codePoint) => codePoint.toLowerCase())
    .map((codePoint) => codePoint.replaceAll("ς", "σ"))
    .join("")
    .split("i\u0307")
    .join("i")
    .normalize("NFC");
}

/** The length of a text in Unicode code points. */
export function lengthOf(text: string): number {
  return [...text].length;
}

/** Compares two texts by UTF-16 code unit, for `Array.sort`. */
export function byCodeUnit(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

const hostPattern =
  /^(?=.{1,253}$)(?!www\.)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])$/;

/** Whether a text is a canonical host, as docs/contract.md#33-the-host-in-the-path says. */
export function isCanonicalHost(text: string): boolean {
  return (
    hostPattern.test(text) &&
    URL.canParse(`http://${text}`) &&
    new URL(`http://${text}`).hostname === text
  );
}

/** A point in time, exact to every digit that was given. */
export interface Instant {
  /** Whole seconds since 1970-01-01T00:00:00Z. */
  seconds: number;
  /** The digits after the point, without trailing zeros. */
  fraction: string;
}

const dateTime =
  /^(\d{4})-(\d{2})-(\d{2})[Tt](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d+))?)?(?:([Zz])|([+-])(\d{2}):?(\d{2}))$/;

/** The instant of a date-time with offset (RFC 3339). Throws RangeError when it is none. */
export function instantOf(text: string): Instant {
  const parts = dateTime.exec(text);
  if (parts === null) throw new RangeError(`not a date-time: ${text}`);
  const number = (place: number) => Number(parts[place] ?? 0);
  // setUTCFullYear, because Date.UTC takes the years 0 to 99 for 1900 to 1999.
  const midnight = new Date(0).setUTCFullYear(number(1), number(2) - 1, number(3)) / 1000;
  const offset = (number(10) * 60 + number(11)) * (parts[9] === "-" ? -60 : 60);
  return {
    seconds: midnight + number(4) * 3600 + number(5) * 60 + number(6) - offset,
    fraction: (parts[7] ?? "").replace(/0+$/, ""),
  };
}

/** Compares two instants, the earlier one first, for `Array.sort`. */
export function byInstant(a: Instant, b: Instant): number {
  // Digits after the point compare as text: "1" < "12" < "2", and "" comes before them all.
  return a.seconds - b.seconds || byCodeUnit(a.fraction, b.fraction);
}
