import { expect, it } from "vitest";
import { hashPassword, verifyPassword } from "./password";

it("is the same password from a keyboard that writes its letters otherwise", async () => {
  const hash = await hashPassword("uma ação não óbvia".normalize("NFD"));
  expect(await verifyPassword(hash, "uma ação não óbvia".normalize("NFC"))).toBe(true);
  expect(await verifyPassword(hash, "uma acao nao obvia")).toBe(false);
  expect(await verifyPassword(hash, " uma ação não óbvia")).toBe(false);
});

it("is nobody's without a hash", async () => {
  expect(await verifyPassword(null, "nobody's password")).toBe(false);
});
