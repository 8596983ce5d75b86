import { beforeEach, expect, it } from "vitest";
import type { Db } from "@/lib/db/connection";
import { walletLabel } from "@/lib/db/tables/wallets";
import { lookupHash } from "@/lib/db/seal";
import { actorOf, givenEnv, givenStaff, givenStore } from "@/test/support/console";
import { givenHistory, givenWallet } from "@/test/support/movements";
import { findCounterpartKey } from "./counterpart";
import { CounterpartQuery } from "./inputs";

let store: Db;

beforeEach(async () => {
  givenEnv();
  store = await givenStore();
});

const keyOf = async (query: string) => {
  const { counterpart } = await findCounterpartKey(
    actorOf("auditor", "00000000-0000-4000-8000-000000000000", "accounts:read"),
    CounterpartQuery.parse({ query }),
  );
  return counterpart;
};

it.each(["00123459893", "123459893", "cpf: 123459893.", "cliente 001.234.598/93 e outro"])(
  "names a counterpart by the hash of its document, with words or dropped zeros: %s",
  async (query) => expect(await keyOf(query)).toBe(lookupHash("00123459893")),
);

it.each([
  ["cliente:41720563854:0000", "document"],
  ["417.205.638-54", "document"],
  ["4172056385398712345628", "documents"],
  ["417.205.638-53 e 987.123.456-28", "documents"],
  ["***.205.638-**", "counterparty"],
  ["J••• S•••", "counterparty"],
  ["+55 (11) 98765-4321", "counterparty"],
  ["123456/104758-2", "counterparty"],
  ["417205638534172056385341720563853", "counterparty"],
])("refuses what is no single document, name or address: %s", (query, code) => {
  const { error } = CounterpartQuery.safeParse({ query });
  expect(error?.issues.map((issue) => issue.code === "custom" && issue.params?.["code"])).toEqual([code]);
});

it("names no digits but those of a chain's address", async () => {
  for (const typed of ["41720563853x41720563853", "41720563853"])
    expect(await keyOf(typed)).not.toContain("41720563853");
  expect(await keyOf("0x9858effd232b4033e47d90003d41ec34ecaeda94")).toBe("0x9858effd232b4033e47d90003d41ec34ecaeda94");
});

it("refuses a name that nobody has in what is kept", async () => {
  await expect(keyOf("Joana")).rejects.toMatchObject({ details: { code: "counterparty-unknown" } });
});

it("finds an own wallet by its label, and refuses an account that is none", async () => {
  await givenWallet({ id: "w", address: "TAbc1" });
  await givenHistory("w", []);
  const label = { walletId: "w", label: "Tesouraria", setBy: await givenStaff(store, "finance"), setAt: new Date() };
  await store.insert(walletLabel).values({ tenant: "aurora", ...label });
  expect(await keyOf("tesouraria")).toBe("TAbc1");
  await expect(keyOf("0001 / 104758-2")).rejects.toMatchObject({ details: { code: "source-unknown" } });
});
