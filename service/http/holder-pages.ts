import { statusBehindPage, visitBiometrics } from "@/service/accounts/visit-biometrics";
import { notFound } from "@/service/error";
import type { Page, Sheet } from "./page";

const OUTCOMES: Readonly<Record<"CONFIRMED" | "PROCESSING" | "ERROR", Sheet>> = {
  CONFIRMED: { title: "Biometria confirmada", text: "A conta está aberta. Você já pode fechar esta página." },
  PROCESSING: { title: "Cadastro em análise", text: "O provedor ainda não pediu a sua biometria." },
  ERROR: { title: "Proposta recusada", text: "O provedor não aprovou a proposta. Fale com quem pediu a conta." },
};

/** The pages of the simulated banking provider: the holder gets their links from the integrator. */
export const holderPages: readonly Page[] = [
  {
    method: "GET",
    path: "/biometrics/{token}",
    show: async (service, { token = "" }) => OUTCOMES[await visitBiometrics(service, token)],
    peek: async (service, { token = "" }) => OUTCOMES[await statusBehindPage(service, token)],
  },
  {
    method: "GET",
    path: "/documents/{token}",
    show: async (service, { token = "" }) => {
      if ((await statusBehindPage(service, token)) !== "ERROR") throw notFound("There is nothing at this path");
      const text = "A foto enviada está ilegível. Tire uma nova, frente e verso, e peça a conta outra vez.";
      return { title: "Novo documento", text };
    },
  },
];
