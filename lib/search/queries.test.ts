import { beforeEach, expect, it, vi } from "vitest";
import { getSession } from "@/lib/auth/session";
import { maskDocument } from "@/lib/contract/document";
import { account } from "@/lib/db/tables/customers";
import { kycCase } from "@/lib/db/tables/kyc";
import { boreal, CPF, givenBoreal } from "@/test/registries/tenants";
import { sessionOf } from "@/test/support/auth";
import { givenEnv, givenStaff, givenStore } from "@/test/support/console";
import english from "@/messages/en.json";
import { listNames } from "./queries";

const ids = { account: boreal.uuid, onboarding: boreal.uuid, kyc: boreal.text, wallet: boreal.text };
const objects = Object.entries(ids).map(([kind, id]) => `${kind}:${id}`);

beforeEach(async () => {
  const [aurora] = givenEnv().tenants;
  givenEnv({ tenants: [aurora, { ...aurora, clientId: "boreal", name: "Boreal" }] });
  const db = await givenStore();
  await givenBoreal(db, await givenStaff(db, "auditor"));
  await db.update(account).set({ branch: "0001", number: "12345-6" });
  await db.update(kycCase).set({ vatNumber: maskDocument(CPF) });
});

const at = (tenant: string) => vi.mocked(getSession).mockResolvedValue(sessionOf({ roles: ["auditor"], tenant }));

it("names the audit record's objects, masked, and no other tenant's", async () => {
  at("boreal");
  const asked = [...objects, `approval:${boreal.uuid}`, "account:gone", "staff:x", "payee:cfde1817"];
  const { [`wallet:${boreal.text}`]: address, ...names } = await listNames(asked);
  expect(names).toEqual({
    [`account:${boreal.uuid}`]: "0001 / 12345-6",
    [`onboarding:${boreal.uuid}`]: maskDocument(CPF),
    [`kyc:${boreal.text}`]: maskDocument(CPF),
    [`approval:${boreal.uuid}`]: expect.any(String),
  });
  expect(address).toEqual(expect.any(String));
  expect(Object.keys(english.audit.objects)).toEqual(expect.arrayContaining(Object.keys(ids)));
  at("aurora");
  expect(await listNames(asked)).toEqual({});
});
