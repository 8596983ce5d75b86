import { operations } from "@/service/gateway/operations";
import { decideKyc } from "@/service/kyc/decide-kyc";
import { listKyc } from "@/service/kyc/list-kyc";
import { type KycProcess, startCompanyKyc, startPersonKyc } from "@/service/kyc/start-kyc";
import { ok, statusAnswer } from "./answer";
import { route } from "./route";

const started = ({ kycUuid: kycUUID, status, kycType, model, documentscopy }: KycProcess) => {
  return { kycUUID, status, kycType, model, documentscopy };
};

export const kycRoutes = [
  route(operations.startPersonKyc, async (call, input) => {
    const process = await startPersonKyc(call, input);
    return statusAnswer(call, { ...started(process), webviewUrl: process.webviewUrl });
  }),
  route(operations.startCompanyKyc, async (call, input) => {
    return statusAnswer(call, started(await startCompanyKyc(call, input)));
  }),
  route(operations.listKyc, async (call, input) => ok(await listKyc(call, input))),
  route(operations.decideKyc, async (call, input) => {
    await decideKyc(call, input);
    return statusAnswer(call, { kycUUID: input.kycUUID, decision: input.decision });
  }),
];
