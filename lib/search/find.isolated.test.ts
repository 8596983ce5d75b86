import { eq } from "drizzle-orm";
import { createTranslator } from "next-intl";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { grant } from "@/lib/auth/grant";
import { ROLES, type Role } from "@/lib/auth/permission";
import { maskDocument } from "@/lib/contract/document";
import { recordAccess } from "@/lib/privacy/access-log";
import { account, kycCase } from "@/lib/store/schema";
import type { Db } from "@/lib/store/store";
import { boreal, CPF, givenBoreal, MARK } from "@/lib/tenants-testing";
import { givenEnv, givenStaff, givenStore } from "@/lib/testing";
import { wallet } from "@/lib/wallets/schema";
import english from "@/messages/en.json";
import { find, SearchQuery } from "./find";

vi.mock("next-intl/server", () => ({
  getLocale: async () => "en",
  getTranslations: async () => createTranslator({ locale: "en", messages: english }),
}));

const HEX = "0x00000000219ab540356cBB839Cbe05303d7705Fa";

let db: Db;
let staffId = "";

beforeEach(async () => {
  const [aurora] = givenEnv().tenants;
  givenEnv({ tenants: [aurora, { ...aurora, clientId: "boreal", name: "Boreal" }] });
  db = await givenStore();
  staffId = await givenStaff(db, ...ROLES);
  await givenBoreal(db, staffId);
  await db.update(account).set({ number: "12345-6" });
  await db.update(kycCase).set({ vatNumber: maskDocument(CPF) });
  await db.update(wallet).set({ address: HEX });
});

function seek(query: string, { roles = ROLES, tenant = "boreal" }: { roles?: readonly Role[]; tenant?: string } = {}) {
  const actor = grant({ staffId, tenant, roles }, "accounts:read");
  if (actor === null) throw new Error("may not search");
  return find(actor, SearchQuery.parse({ query }));
}

const groupsOf = async (...asked: Parameters<typeof seek>) => (await seek(...asked)).hits.map(({ group }) => group);

const caseState = async () => (await seek(boreal.text)).hits.find(({ group }) => group === "kyc")?.state;

describe("the one search", () => {
  it("finds a customer's account, onboarding and cases by the document in any spelling, and tells it masked", async () => {
    const { shape, hits, canAskProvider } = await seek(`  ${CPF.slice(0, 3)}.${CPF.slice(3)} `);
    expect([shape, canAskProvider]).toEqual(["cpf", true]);
    expect(hits.map(({ group, href }) => [group, href])).toEqual([
      ["accounts", `/accounts/${boreal.uuid}`],
      ["onboarding", `/onboarding/${boreal.uuid}`],
      ["kyc", `/kyc/${boreal.text}`],
    ]);
    expect(JSON.stringify(hits)).not.toContain(CPF);
    expect(JSON.stringify(hits)).toContain(maskDocument(CPF));
  });

  it.each([
    ["an account's number", "12345-6", "number", ["accounts"]],
    ["an account's number without its digit", "12345", "number", ["accounts"]],
    ["an account's number with its branch", "1 / 12345-6", "number", ["accounts"]],
    ["another branch's number", "2 / 12345-6", "number", []],
    ["the provider's id of an account", `${MARK}-account`, "id", ["accounts"]],
    ["an id that several records have", boreal.text, "id", ["onboarding", "kyc", "wallets", "deliveries"]],
    ["a transfer's own id", boreal.uuid, "uuid", ["transfers"]],
    ["a chain's address in small letters", HEX.toLowerCase(), "address", ["wallets"]],
    ["what names nothing", "Maria da Silva", null, []],
  ])("finds by %s", async (_, query, shape, groups) => {
    expect((await seek(query)).shape).toBe(shape);
    expect(await groupsOf(query)).toEqual(groups);
  });

  it("says the state in the person's language, and a word that is unknown as the provider wrote it", async () => {
    expect(await caseState()).toBe(english.kyc.status.PENDING);
    await db.execute("update kyc_case set status = 'EM_ANALISE'");
    expect(await caseState()).toBe("EM_ANALISE");
  });

  it("shows nobody what they may not read", async () => {
    expect(await groupsOf(boreal.text, { roles: ["compliance"] })).toEqual(["onboarding", "kyc"]);
    expect(await groupsOf(boreal.text, { roles: ["support"] })).toEqual(["onboarding", "kyc", "deliveries"]);
    expect(await groupsOf(boreal.text, { tenant: "aurora" })).toEqual([]);
    expect(await groupsOf(CPF, { tenant: "aurora" })).toEqual([]);
  });

  it("shows five of a kind at most, and says that there are more", async () => {
    const [one] = await db.select().from(account).where(eq(account.tenant, "boreal"));
    const others = Array.from({ length: 6 }, (_, n) => ({
      ...one,
      tenant: "boreal",
      ref: `00000000-0000-4000-8000-00000000000${n}`,
      accountId: `other-${n}`,
      branch: "0001",
      number: "12345-6",
      documentHash: one?.documentHash ?? "",
      documentSealed: one?.documentSealed ?? "",
      firstSeenAt: new Date(),
    }));
    await db.insert(account).values(others);
    const { hits, more } = await seek("12345-6");
    expect([hits.length, more]).toEqual([5, ["accounts"]]);
  });

  it("begins with what this person looked at last, newest first", async () => {
    const reader = grant({ staffId, tenant: "boreal", roles: ROLES }, "accounts:read");
    if (reader === null) throw new Error("may not read");
    expect(await groupsOf("")).toEqual([]);
    await recordAccess(reader, `account:${boreal.uuid}`);
    await recordAccess(reader, `kyc:${boreal.text}`);
    expect(await groupsOf("")).toEqual(["kyc", "accounts"]);
    expect(await groupsOf("", { tenant: "aurora" })).toEqual([]);
  });
});
