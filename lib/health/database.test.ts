import { expect, it } from "vitest";
import { createProbe } from "./database";

function given() {
  let nowMs = Date.UTC(2026, 10, 29, 12);
  let isOpen = true;
  const probe = createProbe(
    async () => isOpen,
    () => new Date(nowMs),
  );
  const look = async (opens: boolean, laterMs: number) => {
    nowMs += laterMs;
    isOpen = opens;
    await probe.look();
  };
  return { probe, look };
}

it("remembers a long silence until somebody is told of it", async () => {
  const { probe, look } = given();
  await look(true, 0);
  await look(false, 15_000);
  await look(false, 60_000);
  expect(probe.silence()).toBeNull();
  await look(true, 60_000);
  expect(probe.silence()).toEqual({ since: "2026-11-29T12:00:15.000Z", until: "2026-11-29T12:02:15.000Z" });
  probe.forget();
  expect(probe.silence()).toBeNull();
});

it("says nothing of a silence within its bound", async () => {
  const { probe, look } = given();
  await look(false, 0);
  await look(true, 119_000);
  expect(probe.silence()).toBeNull();
});
