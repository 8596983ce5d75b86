/** What memory holds is answered without another turn of the event loop. */
export type Soon<Value> = Value | Promise<Value>;

export function withValue<Value, Result>(value: Soon<Value>, goOn: (value: Value) => Soon<Result>): Soon<Result> {
  return value instanceof Promise ? value.then(goOn) : goOn(value);
}
