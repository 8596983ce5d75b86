import { beforeEach, expect, it } from "vitest";
import { lookupHash } from "@/lib/db/seal";
import { actorOf, givenEnv } from "@/test/support/console";
import { findCounterpartKey } from "./counterpart";
import { CounterpartQuery } from "./inputs";

beforeEach(() => givenEnv());

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
