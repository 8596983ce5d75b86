import type { OnboardingMessage } from "@/lib/contract/onboarding";
import { instant } from "@/service/clock";
import type { Service } from "@/service/context";
import type { JobKind } from "@/service/jobs/run-due";
import { magicOutcome } from "@/service/magic-document";
import type { Tx } from "@/service/store/transaction";
import {
  confirmOnboarding,
  lockOnboarding,
  type Onboarding,
  ONBOARDING_CHECK,
  refuseOnboarding,
  requireOfHolder,
} from "./onboarding";

export const biometricsPage = ({ settings }: Service, { pageToken }: Pick<Onboarding, "pageToken">) =>
  `${settings.publicUrl}/biometrics/${pageToken}`;

export const documentsPage = ({ settings }: Service, { pageToken }: Pick<Onboarding, "pageToken">) =>
  `${settings.publicUrl}/documents/${pageToken}`;

export const biometricsRequest = (url: string, date: string): OnboardingMessage => ({
  id: "onboarding-biometrics",
  date,
  message: "Faça a biometria facial para concluir a abertura da conta.",
  status: "biometrics-pending",
  actionRequired: true,
  url,
});

const refusal = (service: Service) => ({
  id: "onboarding-backgroundcheck",
  date: instant(service.clock).toISOString(),
  status: "proposal-reproved",
});

async function check(service: Service, tx: Tx, id: string): Promise<void> {
  const row = await lockOnboarding(tx, id);
  if (row.status !== "PROCESSING") return;
  switch (magicOutcome(row.documentNumber)) {
    case "refuse": {
      const message = "A proposta não foi aprovada na verificação cadastral.";
      return refuseOnboarding(service, tx, {
        row,
        messages: [{ ...refusal(service), message, actionRequired: false }],
      });
    }
    case "ask": {
      const biometricUrl = biometricsPage(service, row);
      const messages = [biometricsRequest(biometricUrl, instant(service.clock).toISOString())];
      return requireOfHolder(service, tx, { row, biometricUrl, messages });
    }
    case "wait":
      return;
    case "resubmit": {
      const message = "A foto do documento está ilegível. Envie uma nova foto, frente e verso, e abra a conta de novo.";
      const url = documentsPage(service, row);
      return refuseOnboarding(service, tx, {
        row,
        messages: [{ ...refusal(service), message, actionRequired: true, url }],
      });
    }
    case "approve":
      return confirmOnboarding(service, tx, row);
  }
}

/** Assumption: magic documents. */
export const onboardingCheck: JobKind = { kind: ONBOARDING_CHECK, run: check };
