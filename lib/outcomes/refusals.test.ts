import {
  APPROVAL_KIND_NAMES,
  type ApprovalKindName,
  OUTCOME_NAMES,
  type OutcomeName,
  readWith,
} from "@/lib/permission/writes";
import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { createTranslator } from "next-intl";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { whyFailed } from "@/app/(console)/approvals/[id]/why-failed";
import { carryOutClosure, proposeClosure } from "@/lib/accounts/close";
import { lookUp } from "@/lib/accounts/look-up";
import { getApproval } from "@/lib/approvals/queries";
import { isHere } from "@/lib/approvals/view";
import { getSession } from "@/lib/auth/session";
import { approval } from "@/lib/db/tables/approvals";
import { providerIntent } from "@/lib/db/tables/provider";
import { AppError } from "@/lib/errors/app-error";
import { explain, explainTold } from "@/lib/errors/explain";
import type { Told } from "@/lib/errors/result";
import { kindOf } from "@/lib/provider/answer";
import type { Role } from "@/lib/permission/permission";
import { getTransfer } from "@/lib/transfers/queries";
import { executeOrPropose } from "@/lib/approvals/propose";
import english from "@/messages/en.json";
import portuguese from "@/messages/pt-BR.json";
import { giveRoles, givenFixture, givenPolicy, type SessionScope } from "@/test/support/approvals";
import { PROOF } from "@/test/support/accounts";
import { sessionOf } from "@/test/support/auth";
import { actorOf, givenStaff } from "@/test/support/console";
import { internalOrder, openAccount } from "@/test/support/transfers";
import { writesOf } from "@/test/support/outcomes";
import { listRefusedOfAccounts, listRefusedOfKyc, listRefusedOfWallets, listRefusedOnboardings } from "./queries";

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

const objectOf = async (intentId: string) => {
  const [row] = await fixture.db.select().from(providerIntent).where(eq(providerIntent.id, intentId));
  return row?.object ?? "";
};

const toldElsewhere = async (name: OutcomeName, intentId: string): Promise<Told | null | undefined> => {
  const rows = {
    "kyc:read": listRefusedOfKyc,
    "onboarding:read": listRefusedOnboardings,
    "accounts:read": listRefusedOfAccounts,
    "wallets:read": listRefusedOfWallets,
  };
  const area = readWith(name);
  if (area === "transfers:read") return (await getTransfer(intentId))?.told;
  const object = await objectOf(intentId);
  const listed = await rows[area](object.endsWith(intentId) ? null : object);
  return listed.find((row) => row.intentId === intentId)?.told;
};

function expectWords(told: Told | null | undefined, status: number): void {
  expect(told).toMatchObject({ status, said: SHOWN, wasSent: true });
  if (told == null) return;
  for (const say of languages) {
    expect(explainTold(told, say)).toContain(`(${status}): “${SHOWN}”`);
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
  it.each([409, 412, 422])("tells a write's maker and later readers why it was refused with %i", async (status) => {
    const { role } = writesOf(fixture, staffId)[name];
    if (!name.startsWith("transfer") && name !== "account.close" && name !== "crypto.transfer")
      staffId = await givenStaff(fixture.db, role);
    const intentId = randomUUID();
    refusing(status);
    const refused = await refusedBy(name, intentId);
    for (const say of languages) {
      const failure = explain(refused, say);
      expect(failure.message).toContain(`(${status}): “${SHOWN}”`);
      expect(failure.message).not.toMatch(FIXED);
    }
    const [row] = await fixture.db.select().from(providerIntent);
    expect(row?.saidSealed).not.toContain("câmbio");
    restart();
    read(["auditor"]);
    expectWords(await toldElsewhere(name, intentId), status);
  });
});

it("hides a holder's token and code that the provider quotes", async () => {
  const { userAccessToken, code } = PROOF;
  const details = { status: 422, providerMessage: `Token ${userAccessToken}, code ${code}`, mayHaveExecuted: false };
  fixture.sent.refusal = new AppError("invalid", details);
  const intentId = randomUUID();
  const refused = await refusedBy("account.close", intentId);
  expect(refused.details.providerMessage).toBe("Token •••, code •••");
  read(["auditor"]);
  expect((await toldElsewhere("account.close", intentId))?.said).toBe("Token •••, code •••");
});

type SentKind = Extract<ApprovalKindName, OutcomeName>;
type Requested = { approvalId: string; carryOut: () => Promise<unknown> };

/** What its maker asks for, and then carries out with the holder's proof. */
async function requestClosure(): Promise<Requested> {
  const { onBoardingId } = await openAccount(fixture.service);
  const found = await lookUp(actorOf("finance", staffId, "accounts:read"), { query: onBoardingId });
  const ref = "accountRef" in found ? found.accountRef : "";
  const maker = actorOf("finance", staffId, "accounts:close");
  const form = { intentId: randomUUID(), ref, userId: "user-1", reason: "A pedido do titular" };
  const { approvalId } = await proposeClosure(maker, form);
  const close = async () => {
    await fixture.authorising(approvalId);
    await carryOutClosure(maker, { approvalId, ...PROOF }).catch((error: unknown) => {
      if (!(error instanceof AppError)) throw error;
    });
  };
  return { approvalId, carryOut: close };
}

async function request(kind: SentKind): Promise<Requested> {
  if (kind === "account.close") return requestClosure();
  const always = { kind, version: 0, rule: "always", amount: null, expiresAfterHours: 24 } as const;
  await givenPolicy(actorOf("admin", staffId, "settings:manage"), always);
  const { role, order } = writesOf(fixture, staffId)[kind];
  await giveRoles(fixture.db, staffId, role);
  const intentId = randomUUID();
  await order(intentId, executeOrPropose);
  const [row] = await fixture.db.select().from(approval).where(eq(approval.intentId, intentId));
  if (row === undefined) throw new Error(`nothing waits of ${kind}`);
  return { approvalId: row.id, carryOut: () => fixture.authorising(row.id) };
}

const isSentKind = (kind: ApprovalKindName): kind is SentKind => OUTCOME_NAMES.some((name) => name === kind);

it("only what is sent, and what is said of it, is refused by the provider", () => {
  const others = APPROVAL_KIND_NAMES.filter((kind) => !isSentKind(kind));
  expect(others.every((kind) => isHere(kind) || kind === "outcome.end")).toBe(true);
});

describe.each(APPROVAL_KIND_NAMES.filter(isSentKind))("a request of %s, authorised", (kind) => {
  it.each([409, 412, 422])("refused with %i tells its maker, its approver and others why", async (status) => {
    const { approvalId, carryOut } = await request(kind);
    refusing(status);
    await carryOut();
    restart();
    for (const [roles, id] of [
      [["finance", "compliance"], fixture.makerId],
      [["approver"], fixture.approverId],
      [["auditor"], randomUUID()],
    ] as const) {
      read([...roles], id);
      const found = await getApproval(approvalId);
      expect(found?.row.state).toBe(found?.row.kind === "account.close" ? "READY" : "FAILED");
      expectWords(found?.told, status);
      expect(found?.row.word).toBe(found?.row.kind === "account.close" ? "READY" : "PROVIDER_REFUSED");
      for (const say of languages)
        expect(whyFailed({ code: null, told: found?.told ?? null }, say)).toContain(`(${status}): “${SHOWN}”`);
    }
  });
});

const requestBehind = async (intentId: string) =>
  (await getTransfer(intentId))?.requestId ??
  (await listRefusedOfWallets(await objectOf(intentId))).find((row) => row.intentId === intentId)?.requestId ??
  null;

describe("what came of a request", () => {
  it.each(["transfer.internal", "transfer.external", "crypto.transfer"] as const)(
    "links to its request, where %s was refused, for permitted readers",
    async (kind) => {
      const { approvalId, carryOut } = await request(kind);
      refusing(422);
      await carryOut();
      const [row] = await fixture.db.select().from(approval).where(eq(approval.id, approvalId));
      const intentId = row?.intentId ?? "";
      read(["finance"], fixture.makerId);
      expect(await requestBehind(intentId)).toBe(approvalId);
      read(["auditor"]);
      expect(await requestBehind(intentId)).toBe(approvalId);
      read(["finance"]);
      expect(await requestBehind(intentId)).toBeNull();
    },
  );

  it("names nobody as who sent what another person authorised", async () => {
    const { carryOut } = await request("transfer.internal");
    refusing(422);
    await carryOut();
    const [row] = await fixture.db.select().from(approval);
    read(["finance"], fixture.makerId);
    const { events = [] } = (await getTransfer(row?.intentId ?? "")) ?? {};
    expect(events.map(({ kind, isMine, byName }) => [kind, isMine, byName !== null])).toEqual([
      ["proposed", true, true],
      ["authorised", false, true],
      ["sent", false, false],
      ["refused", false, false],
    ]);
  });
});

describe("a request that was authorised and refused by the provider", () => {
  it("keeps the provider's words for an unknown and a blocked request", async () => {
    const order = internalOrder(fixture.parties, { amount: "5000.00" });
    const approvalId = await fixture.propose(order);
    refusing(403, "TRANSACTION_BLOCKED");
    await fixture.authorising(approvalId);
    read(["auditor"]);
    const told = (await getApproval(approvalId))?.told;
    expect(told).toMatchObject({ code: "TRANSACTION_BLOCKED", said: SHOWN });
    expect((await getApproval(approvalId))?.row.word).toBe("BLOCKED");
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
