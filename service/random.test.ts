import { expect, test } from "vitest";
import { machineRandom, uuid } from "./random";

test("never repeats an identifier", () => {
  const identifiers = Array.from({ length: 10_000 }, () => uuid(machineRandom));
  expect(new Set(identifiers).size).toBe(10_000);
  for (const identifier of identifiers)
    expect(identifier).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});

test.each([16, 8_191, 8_192, 8_193, 100_000])("draws %i bytes anew each time", (size) => {
  const one = machineRandom(size);
  const other = machineRandom(size);
  expect([one.byteLength, other.byteLength]).toEqual([size, size]);
  expect(Buffer.from(one).equals(other)).toBe(false);
  expect(one.filter((byte) => byte === 0).length).toBeLessThan(8 + size / 50);
});
