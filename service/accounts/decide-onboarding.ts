import { eq } from "drizzle-orm";
import type { OnboardingMessage } from "@/lib/contract/onboarding";
import type { WebhookEvent } from "@/lib/contract/webhooks";
import { instant } from "@/service/clock";
import type { Service } from "@/service/context";
import { conflict } from "@/service/error";
import { openAccounts } from "@/service/ledger/account";
import { BRL } from "@/service/ledger/asset";
import { uuid } from "@/service/random";
import type { Tx } from "@/service/store/db";
import { actingFor } from "@/service/tenants/acting-for";
import { emit } from "@/service/webhooks/emit";
import { type BankAccount, describeOnboarding, type Onboarding } from "./onboarding";
import { bankAccount, onboarding } from "./schema";

const BRANCH = "0001";

type Change = Partial<Pick<Onboarding, "status" | "biometricUrl" | "messages" | "endedAt">>;

function assertUndecided({ status }: Onboarding): void {
  if (status !== "PROCESSING") throw conflict(`The onboarding is ${status} and stays so`);
}

async function change(tx: Tx, row: Onboarding, changes: Change): Promise<Onboarding> {
  await tx.update(onboarding).set(changes).where(eq(onboarding.id, row.id));
  return { ...row, ...changes };
}

async function announce(
  service: Service,
  tx: Tx,
  { event, row, account }: { event: WebhookEvent; row: Onboarding; account: BankAccount | null },
): Promise<void> {
  const call = actingFor(service, row.clientId);
  if (call) await emit(call, tx, { event, payload: describeOnboarding(row, account) });
}

/** The provider accepts: the account exists from now on, empty. 409 when it was decided before. */
export async function confirmOnboarding(service: Service, tx: Tx, row: Onboarding): Promise<void> {
  assertUndecided(row);
  const id = uuid(service.random);
  const [account] = await tx
    .insert(bankAccount)
    .values({
      id,
      clientId: row.clientId,
      onboardingId: row.id,
      documentNumber: row.documentNumber,
      branch: BRANCH,
      status: "ACTIVE",
      createdAt: instant(service.clock),
    })
    .returning();
  await openAccounts(tx, [
    { holder: id, assetId: BRL, kind: "available" },
    { holder: id, assetId: BRL, kind: "blocked" },
  ]);
  const confirmed = await change(tx, row, { status: "CONFIRMED", biometricUrl: null, messages: [] });
  await announce(service, tx, { event: "onboarding-create", row: confirmed, account: account ?? null });
}

/** The provider refuses, for these reasons; the document may ask again. 409 when it was decided before. */
export async function refuseOnboarding(
  service: Service,
  tx: Tx,
  { row, messages }: { row: Onboarding; messages: OnboardingMessage[] },
): Promise<void> {
  assertUndecided(row);
  const refusal: Change = { status: "ERROR", biometricUrl: null, messages, endedAt: instant(service.clock) };
  const refused = await change(tx, row, refusal);
  await announce(service, tx, { event: "onboarding-backgroundcheck", row: refused, account: null });
}

/** The provider wants something of the holder meanwhile: biometrics at a URL, or what the messages say. */
export async function requireOfHolder(
  service: Service,
  tx: Tx,
  { row, ...wanted }: { row: Onboarding } & Pick<Change, "biometricUrl" | "messages">,
): Promise<void> {
  assertUndecided(row);
  const waiting = await change(tx, row, wanted);
  if (waiting.biometricUrl !== row.biometricUrl)
    await announce(service, tx, { event: "onboarding-biometrics", row: waiting, account: null });
}
