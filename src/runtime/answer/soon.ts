/** What is at hand needs no promise, which costs as much as finding it. */
export type Soon<T> = T | Promise<T>;

/** What comes of a value: at once, where the value is there. */
export function andThen<T, U>(value: Soon<T>, next: (value: T) => Soon<U>): Soon<U> {
  return value instanceof Promise ? value.then(next) : next(value);
}
