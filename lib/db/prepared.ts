import type { Db } from "./connection";

export function preparedOnce<Statement>(prepare: (store: Db) => Statement): (store: Db) => Statement {
  const statements = new WeakMap<Db, Statement>();
  return (store) => {
    const known = statements.get(store);
    if (known !== undefined) return known;
    const prepared = prepare(store);
    statements.set(store, prepared);
    return prepared;
  };
}
