import { finishDocumentscopy, isDocumentscopyOpen } from "@/service/kyc/finish-documentscopy";
import { holderPages } from "./holder-pages";
import type { Page } from "./page";

const done = { title: "Documentos recebidos", text: "Recebemos seus documentos. Você já pode fechar esta página." };

/** Every page of the simulated providers. */
export const pages: readonly Page[] = [
  ...holderPages,
  {
    method: "GET",
    path: "/documentscopy/{token}",
    show: async (service, { token = "" }) => {
      if (!(await isDocumentscopyOpen(service, token))) return done;
      const text = "Para concluir a verificação de identidade, envie a frente e o verso do seu documento.";
      return { title: "Envio de documentos", text, button: "Enviar documentos" };
    },
  },
  {
    method: "POST",
    path: "/documentscopy/{token}",
    show: async (service, { token = "" }) => {
      await finishDocumentscopy(service, token);
      return done;
    },
  },
];
