import { sql } from "drizzle-orm";
import { z } from "zod";
import { Credit, creditAccount } from "@/service/accounts/list-accounts";
import { OnboardingDecision, steerOnboarding } from "@/service/accounts/onboarding";
import { CaseDecision, decideCase } from "@/service/antifraud/decide";
import { Deposit, depositTo } from "@/service/crypto/deposit";
import { notFound } from "@/service/error";
import { KycSteering, steerKyc } from "@/service/kyc/start-kyc";
import { checkBooks } from "@/service/ledger/check";
import { recordTrade, Trade } from "@/service/otc/record-trade";
import { clockOffset } from "@/service/store/schema";
import { BillingStatus } from "@/service/tenants/load-tenants";
import { DeliveriesQuery, listDeliveries } from "@/service/webhooks/list-deliveries";
import { control, type ControlRoute, type Sandbox } from "./control";
import { Fault } from "./faults";

const accountControls = [
  control("POST /sandbox/onboardings/{onBoardingId}", OnboardingDecision, (service, input, { onBoardingId = "" }) =>
    steerOnboarding(service, onBoardingId, input),
  ),
  control("POST /sandbox/bank-accounts/{accountId}/credit", Credit, (service, input, { accountId = "" }) =>
    creditAccount(service, accountId, input),
  ),
  control("GET /sandbox/ledger/check", z.looseObject({}), ({ db }) => checkBooks(db)),
];

const TEN_YEARS_SECONDS = 315_576_000;

const ClockAdvance = z.strictObject({ advanceSeconds: z.number().positive().max(TEN_YEARS_SECONDS) });
type ClockAdvance = z.infer<typeof ClockAdvance>;

/** For good; does what fell due on the way. */
async function advanceClock(sandbox: Sandbox, { advanceSeconds }: ClockAdvance) {
  const { clock, db, outbox, runDue } = sandbox;
  const offsetMs = Math.round(advanceSeconds * 1_000);
  await db
    .insert(clockOffset)
    .values({ id: "clock", offsetMs })
    .onConflictDoUpdate({ target: clockOffset.id, set: { offsetMs: sql`${clockOffset.offsetMs} + ${offsetMs}` } });
  clock.advance(offsetMs);
  await runDue();
  outbox.ring(clock.now());
  return { now: new Date(clock.now()).toISOString() };
}

const cryptoControls = [control("POST /sandbox/crypto/deposits", Deposit, depositTo)];

const otcControls = [control("POST /sandbox/otc/trades", Trade, recordTrade)];

const BillingChange = z.strictObject({ status: BillingStatus });
type BillingChange = z.infer<typeof BillingChange>;

/** From the next request on. 404 for an unknown tenant. */
async function setBilling(sandbox: Sandbox, clientId: string, { status }: BillingChange) {
  const tenant = sandbox.tenants.find(clientId);
  if (!tenant) throw notFound("The client was not found");
  await sandbox.billing.set(tenant, status);
  return { clientId, status };
}

export const controlRoutes: readonly ControlRoute[] = [
  ...accountControls,
  ...cryptoControls,
  ...otcControls,
  control("POST /sandbox/clock", ClockAdvance, advanceClock),
  control("POST /sandbox/kyc/{kycUUID}", KycSteering, (sandbox, input, { kycUUID = "" }) =>
    steerKyc(sandbox, kycUUID, input),
  ),
  control("POST /sandbox/transactions/{antifraudId}", CaseDecision, (sandbox, input, { antifraudId = "" }) =>
    decideCase(sandbox, antifraudId, input),
  ),
  control("PUT /sandbox/tenants/{clientId}/billing", BillingChange, (sandbox, input, { clientId = "" }) =>
    setBilling(sandbox, clientId, input),
  ),
  control("POST /sandbox/faults", Fault, async ({ faults }, fault) => {
    faults.plan(fault);
    return fault;
  }),
  control("DELETE /sandbox/faults", z.unknown(), async ({ faults }) => {
    faults.clear();
    return {};
  }),
  control("GET /sandbox/deliveries", DeliveriesQuery, listDeliveries),
];
