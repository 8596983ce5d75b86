import { EventEmitter, once } from "node:events";

/** What a test waits at until it, or what it tests, opens it. */
export function gate(): { opened: Promise<unknown>; open: () => void } {
  const door = new EventEmitter();
  return { opened: once(door, "open"), open: () => void door.emit("open") };
}
