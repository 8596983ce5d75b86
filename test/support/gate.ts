import { EventEmitter, once } from "node:events";

/** A gate at which a test waits until it is opened. */
export function gate(): { opened: Promise<unknown>; open: () => void } {
  const door = new EventEmitter();
  return { opened: once(door, "open"), open: () => void door.emit("open") };
}
