type Memory<Value> = { get: (name: string) => Value | undefined; set: (name: string, value: Value) => void };

export function createMemory<Value>(most: number): Memory<Value> {
  const values = new Map<string, Value>();
  return {
    get: (name) => values.get(name),
    set: (name, value) => {
      values.delete(name);
      values.set(name, value);
      const [oldest] = values.keys();
      if (values.size > most && oldest !== undefined) values.delete(oldest);
    },
  };
}
