/** Whether a system error, or the system error that caused this one, has one of these codes. */
export function hasCode(error: unknown, codes: readonly string[]): boolean {
  const { code, cause } = error as NodeJS.ErrnoException & { cause?: NodeJS.ErrnoException };
  return codes.includes(code ?? cause?.code ?? "");
}
