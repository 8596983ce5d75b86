import { availableParallelism } from "node:os";
import { expect, it } from "vitest";
import { arePasswordsBusy, hashPassword, PasswordsBusy, verifyPassword } from "./password";

it("accepts the same password in another Unicode form", async () => {
  const hash = await hashPassword("uma ação não óbvia".normalize("NFD"));
  expect(await verifyPassword(hash, "uma ação não óbvia".normalize("NFC"))).toBe(true);
  expect(await verifyPassword(hash, "uma acao nao obvia")).toBe(false);
  expect(await verifyPassword(hash, " uma ação não óbvia")).toBe(false);
});

it("refuses every password without a stored hash", async () => {
  expect(await verifyPassword(null, "nobody's password")).toBe(false);
});

it("hashes one password per core at a time, queues some and turns the rest away", async () => {
  const crowd = Promise.allSettled(
    Array.from({ length: 40 * availableParallelism() }, () => verifyPassword(null, "guess")),
  );
  await expect.poll(arePasswordsBusy).toBe(true);
  await expect(hashPassword("one more")).rejects.toThrow(PasswordsBusy);
  const outcomes = await crowd;
  const refused = outcomes.filter(({ status }) => status === "rejected");
  expect(refused).toHaveLength(7 * availableParallelism());
  expect(arePasswordsBusy()).toBe(false);
  expect(await verifyPassword(null, "guess")).toBe(false);
});
