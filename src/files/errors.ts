/** A system error's code, such as `ENOENT`; undefined for any other value. */
export function codeOf(error: unknown): string | undefined {
  if (typeof error !== "object" || error === null || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}

/** Whether a system error, or the system error that caused this one, has one of these codes. */
export function hasCode(error: unknown, codes: readonly string[]): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return codes.includes(codeOf(error) ?? codeOf(cause) ?? "");
}

/** The message of an error; any other thrown value as text. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
