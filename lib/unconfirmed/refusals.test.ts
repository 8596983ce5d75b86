import { randomUUID } from "node:crypto";
import { createTranslator } from "next-intl";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { getApproval } from "@/lib/approvals/queries";
import { getSession } from "@/lib/auth/session";
import { OUTCOME_NAMES, type OutcomeName } from "@/lib/db/enums/unconfirmed";
import { providerIntent } from "@/lib/db/tables/provider";
import { AppError } from "@/lib/errors/app-error";
import { explain, explainTold } from "@/lib/errors/explain";
import type { Told } from "@/lib/errors/result";
import { kindOf } from "@/lib/provider/answer";
import type { Role } from "@/lib/permission/permission";
import { getTransfer } from "@/lib/transfers/queries";
import english from "@/messages/en.json";
import portuguese from "@/messages/pt-BR.json";
import { givenFixture, type SessionScope } from "@/test/support/approvals";
import { PROOF } from "@/test/support/accounts";
import { sessionOf } from "@/test/support/auth";
import { givenStaff } from "@/test/support/console";
import { internalOrder } from "@/test/support/transfers";
import { writesOf } from "@/test/support/unconfirmed";
import { listRefusedOfAccounts, listRefusedOfKyc, listRefusedOfWallets, listRefusedOnboardings } from "./queries";
import { REFUSALS_READ_WITH } from "./refusals";

const languages = [
  createTranslator({ locale: "en", messages: english }),
  createTranslator({ locale: "pt-BR", messages: portuguese }),
] as const;

const SAID = "Cedente 529.982.247-25 em análise pela mesa de câmbio";
const SHOWN = "Cedente ***.982.247-** em análise pela mesa de câmbio";

const FIXED = /insufficient|insuficiente|record changed|registro mudou|marked fields|campos marcados|pending payments/i;

let fixture: SessionScope;
let staffId = "";

const read = (roles: Role[], id: string = randomUUID()) =>
  vi.mocked(getSession).mockResolvedValue(sessionOf({ staffId: id, roles }));

const restart = () => {
  globalThis.retaguardaIntents = undefined;
};

const refusing = (status: number, code?: string) => {
  const details = { status, providerMessage: SAID, mayHaveExecuted: false, ...(code !== undefined && { code }) };
  fixture.sent.refusal = new AppError(kindOf(status, code), details);
};

beforeEach(async () => {
  fixture = await givenFixture();
  staffId = fixture.makerId;
});

const toldElsewhere = async (name: OutcomeName, intentId: string): Promise<Told | null | undefined> => {
  const rows = {
    "kyc:read": () => listRefusedOfKyc(["kyc.decision", "kyc.start"]),
    "onboarding:read": () => listRefusedOnboardings(["account.create"]),
    "accounts:read": () => listRefusedOfAccounts(["account.close"]),
    "wallets:read": () => listRefusedOfWallets(["crypto.transfer", "wallet.create", "wallet.address"]),
  };
  const permission = REFUSALS_READ_WITH[name];
  if (permission === "transfers:read") return (await getTransfer(intentId))?.told;
  return (await rows[permission]()).find((row) => row.intentId === intentId)?.told;
};

function expectWords(told: Told | null | undefined, status: number): void {
  expect(told).toMatchObject({ status, said: SHOWN, wasSent: true });
  if (told == null) return;
  for (const say of languages) {
    expect(explainTold(told, say)).toContain(String(status));
    expect(explainTold(told, say)).not.toMatch(FIXED);
  }
}

async function refusedBy(name: OutcomeName, intentId: string): Promise<AppError> {
  const write = writesOf(fixture, staffId)[name];
  const refused: unknown = await write.order(intentId).catch((error: unknown) => error);
  if (!(refused instanceof AppError)) throw new Error(`it was not refused: ${String(refused)}`);
  return refused;
}

describe.each(OUTCOME_NAMES)("%s", (name) => {
  it.each([409, 412, 422])("refused with %i tells its maker and who looks later why", async (status) => {
    const { role } = writesOf(fixture, staffId)[name];
    if (!name.startsWith("transfer") && name !== "account.close" && name !== "crypto.transfer")
      staffId = await givenStaff(fixture.db, role);
    const intentId = randomUUID();
    refusing(status);
    const refused = await refusedBy(name, intentId);
    for (const say of languages) {
      const failure = explain(refused, say);
      expect(failure.providerMessage).toBe(SHOWN);
      expect(failure.message).toContain(String(status));
      expect(failure.message).not.toMatch(FIXED);
    }
    const [row] = await fixture.db.select().from(providerIntent);
    expect(row?.saidSealed).not.toContain("câmbio");
    restart();
    read(["auditor"]);
    expectWords(await toldElsewhere(name, intentId), status);
  });
});

it("what the provider quotes of a holder's token and code is neither shown nor kept", async () => {
  const { userAccessToken, code } = PROOF;
  const details = { status: 422, providerMessage: `Token ${userAccessToken}, code ${code}`, mayHaveExecuted: false };
  fixture.sent.refusal = new AppError("invalid", details);
  const intentId = randomUUID();
  const refused = await refusedBy("account.close", intentId);
  expect(refused.details.providerMessage).toBe("Token •••, code •••");
  read(["auditor"]);
  expect((await toldElsewhere("account.close", intentId))?.said).toBe("Token •••, code •••");
});

describe("a request that was authorised and refused by the provider", () => {
  it("tells its maker, its approver and an auditor why, and says no fixed reason", async () => {
    const order = internalOrder(fixture.parties, { amount: "5000.00" });
    const approvalId = await fixture.propose(order);
    refusing(422);
    expect(await fixture.authorising(approvalId)).toMatchObject({ state: "FAILED" });
    restart();
    for (const [roles, id] of [
      [["finance"], fixture.makerId],
      [["approver"], fixture.approverId],
      [["auditor"], randomUUID()],
    ] as const) {
      read([...roles], id);
      expectWords((await getApproval(approvalId))?.told, 422);
    }
  });

  it("keeps what the provider said of one of which nobody knows, and of a blocked one", async () => {
    const order = internalOrder(fixture.parties, { amount: "5000.00" });
    const approvalId = await fixture.propose(order);
    refusing(403, "TRANSACTION_BLOCKED");
    await fixture.authorising(approvalId);
    read(["auditor"]);
    const told = (await getApproval(approvalId))?.told;
    expect(told).toMatchObject({ code: "TRANSACTION_BLOCKED", said: SHOWN });
    const another = await fixture.propose(internalOrder(fixture.parties, { amount: "6000.00" }));
    const details = { status: 503, code: "SECURITY_SERVICE_UNAVAILABLE", providerMessage: SAID, mayHaveExecuted: true };
    fixture.sent.refusal = new AppError("unavailable", details);
    await fixture.authorising(another);
    expect(await getApproval(another)).toMatchObject({
      row: { state: "UNKNOWN" },
      code: "SECURITY_SERVICE_UNAVAILABLE",
      answered: SHOWN,
      told: null,
    });
  });
});
