import { expect, it } from "vitest";
import { z } from "zod";
import { newIntentId } from "./intent";

it("gives each intention its own UUID", () => {
  const ids = Array.from({ length: 200 }, newIntentId);
  expect(new Set(ids).size).toBe(200);
  expect(ids.every((id) => z.uuidv4().safeParse(id).success)).toBe(true);
});
