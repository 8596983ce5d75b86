type Listener = (atMs: number) => void;

/** Epoch milliseconds. A hint: the rows are the truth. */
export type Alarm = { ring: Listener; onRing: (listener: Listener) => void };

export function createAlarm(): Alarm {
  const listeners: Listener[] = [];
  return {
    ring: (atMs) => listeners.forEach((listen) => listen(atMs)),
    onRing: (listener) => {
      listeners.push(listener);
    },
  };
}
