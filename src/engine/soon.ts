/**
 * A value, or a promise of it. A value that is available needs no promise: the promise would cost as much as finding
 * the value.
 */
export type Soon<T> = T | Promise<T>;

/** Applies `next` to a value: immediately if the value is available, else once the promise resolves. */
export function andThen<T, U>(value: Soon<T>, next: (value: T) => Soon<U>): Soon<U> {
  return value instanceof Promise ? value.then(next) : next(value);
}
