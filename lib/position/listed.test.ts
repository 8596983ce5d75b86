import { expect, it } from "vitest";
import { givenEnv, givenStore } from "@/test/support/console";
import { givenSubjects } from "@/test/support/position";
import { AURORA } from "@/test/support/service/harness";
import { countListed } from "./listed";

it("counts what the lists name, before any of it is read", async () => {
  givenEnv();
  const db = await givenStore();
  expect(await countListed(db, AURORA.clientId)).toBe(0);
  await givenSubjects(db, { accounts: 2, wallets: 3 });
  expect(await countListed(db, AURORA.clientId)).toBe(5);
  expect(await countListed(db, "boreal")).toBe(0);
});
