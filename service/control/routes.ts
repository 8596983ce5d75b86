import { z } from "zod";
import { CaseDecision, decideCase } from "@/service/antifraud/decide";
import { KycSteering, steerKyc } from "@/service/kyc/steer-kyc";
import { DeliveriesQuery, listDeliveries } from "@/service/webhooks/list-deliveries";
import { accountControls } from "./accounts";
import { advanceClock, ClockAdvance } from "./advance-clock";
import { control, type ControlRoute } from "./control";
import { cryptoControls } from "./crypto";
import { Fault } from "./faults";
import { otcControls } from "./otc";
import { BillingChange, setBilling } from "./set-billing";

/** Every control route that is answered. */
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
