/** The place of a field in a document: names of objects and indexes of arrays. */
export type FieldPath = readonly (string | number)[];

function entriesOf(value: unknown): [string | number, unknown][] {
  if (Array.isArray(value)) return value.map((item: unknown, index) => [index, item]);
  return typeof value === "object" && value !== null ? Object.entries(value) : [];
}

/** Every named field of a document, at any depth. */
export function fieldsOf(document: unknown, parent: FieldPath = []): FieldPath[] {
  return entriesOf(document).flatMap(([key, value]) => {
    const path = [...parent, key];
    return [...(typeof key === "string" ? [path] : []), ...fieldsOf(value, path)];
  });
}

function rebuild(document: unknown, [first, ...rest]: FieldPath, change: (value: unknown) => unknown): unknown {
  if (first === undefined) return change(document);
  const entries = entriesOf(document).map(([key, value]): [string | number, unknown] =>
    key === first ? [key, rebuild(value, rest, change)] : [key, value],
  );
  return Array.isArray(document) ? entries.map(([, value]) => value) : Object.fromEntries(entries);
}

/** The value at `path`. */
export function valueAt(document: unknown, [first, ...rest]: FieldPath): unknown {
  if (first === undefined) return document;
  return valueAt(entriesOf(document).find(([key]) => key === first)?.[1], rest);
}

/** The document with another value at `path`. */
export function withField(document: unknown, path: FieldPath, value: unknown): unknown {
  return rebuild(document, path, () => value);
}

/** The document without the field at `path`. */
export function withoutField(document: unknown, path: FieldPath): unknown {
  const name = path.at(-1);
  return rebuild(document, path.slice(0, -1), (parent) =>
    Object.fromEntries(entriesOf(parent).filter(([key]) => key !== name)),
  );
}

/** The document with a future version's field in each of its objects. */
export function withUnknownFields(document: unknown): unknown {
  if (Array.isArray(document)) return document.map(withUnknownFields);
  if (typeof document !== "object" || document === null) return document;
  const stored = Object.entries(document).map(([key, value]) => [key, withUnknownFields(value)]);
  return { ...Object.fromEntries(stored), addedLater: "anything" };
}
