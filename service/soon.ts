/** A value that is at hand, or the promise of one: what memory holds is answered without another turn of the event loop. */
export type Soon<Value> = Value | Promise<Value>;

/** Goes on with the value, at once when it is at hand. */
export function withValue<Value, Result>(value: Soon<Value>, goOn: (value: Value) => Soon<Result>): Soon<Result> {
  return value instanceof Promise ? value.then(goOn) : goOn(value);
}
