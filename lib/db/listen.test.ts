import { getEventListeners } from "node:events";
import { expect, it, vi } from "vitest";
import { log } from "@/lib/log/log";
import { listenOnServer } from "./listen";

it("leaves no listener behind after a failed connection", async () => {
  const added = vi.spyOn(EventTarget.prototype, "addEventListener");
  const warned = vi.spyOn(log, "warn").mockImplementation(() => undefined);
  const ear = { received: vi.fn<(payload: string) => void>(), connected: vi.fn<() => void>() };
  const stop = listenOnServer("postgres://nobody@127.0.0.1:1/none")("news", ear);
  await vi.waitFor(() => expect(warned).toHaveBeenCalledTimes(3));
  const signals = new Set(added.mock.contexts.filter((context) => context instanceof AbortSignal));
  const most = Math.max(...[...signals].map((signal) => getEventListeners(signal, "abort").length));
  // The one listener left is that of the wait before the next attempt.
  expect(most).toBe(1);
  await stop();
});
