import { createHash } from "node:crypto";
import type { Hono } from "hono";
import { html } from "hono/html";
import { statusBehindPage, visitBiometrics } from "@/service/accounts/onboarding";
import type { Service } from "@/service/context";
import { notFound } from "@/service/error";
import { finishDocumentscopy, isDocumentscopyOpen } from "@/service/kyc/start-kyc";
import { describeService } from "@/service/openapi/document";
import type { Entry } from "./answer";
import { type Particulars, routerPath } from "./mount";

export const DESCRIPTION_PATH = "/openapi.json";

/** Weak comparison, as RFC 9110 requires here. */
const isAtHand = (ifNoneMatch: string | undefined, tag: string) =>
  (ifNoneMatch ?? "").split(",").some((one) => ["*", tag].includes(one.trim().replace(/^W\//, "")));

export function mountDescription(app: Hono<Entry>, { settings }: Service): void {
  const text = JSON.stringify(describeService(settings.publicUrl));
  const tag = `"${createHash("sha256").update(text).digest("base64url")}"`;
  app.get(DESCRIPTION_PATH, (c) => {
    const headers = { "Cache-Control": "no-cache", ETag: tag, "X-Request-Id": c.env.requestId };
    if (isAtHand(c.req.header("if-none-match"), tag)) return new Response(null, { status: 304, headers });
    return new Response(text, { headers: { "Content-Type": "application/json; charset=UTF-8", ...headers } });
  });
}

const OUTCOMES: Readonly<Record<"CONFIRMED" | "PROCESSING" | "ERROR", Sheet>> = {
  CONFIRMED: { title: "Biometria confirmada", text: "A conta está aberta. Você já pode fechar esta página." },
  PROCESSING: { title: "Cadastro em análise", text: "O provedor ainda não pediu a sua biometria." },
  ERROR: { title: "Proposta recusada", text: "O provedor não aprovou a proposta. Fale com quem pediu a conta." },
};

const holderPages: readonly Page[] = [
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

const done = { title: "Documentos recebidos", text: "Recebemos seus documentos. Você já pode fechar esta página." };

export const allPages: readonly Page[] = [
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

type Sheet = { title: string; text: string; button?: string };

type Show = (service: Service, params: Particulars["params"]) => Promise<Sheet>;

/** `peek` answers HEAD without a possible effect of `show`. */
type Page = { method: "GET" | "POST"; path: string; show: Show; peek?: Show };

const HEADERS = {
  "Cache-Control": "no-store",
  "Content-Security-Policy":
    "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'",
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
};

const STYLE = `body { font: 17px/1.6 system-ui, sans-serif; color: #1c2330; background: #f6f7f9; margin: 0 }
  main { max-width: 30rem; margin: 12vh auto; padding: 2rem; background: #fff; border-radius: 12px }
  small { color: #5b6474 } h1 { font-size: 1.4rem; margin-top: 0 }
  button { font: inherit; padding: .6rem 1.2rem; border: 0; border-radius: 8px; color: #fff; background: #1f5fd1 }`;

const render = ({ title, text, button }: Sheet) =>
  html`<!doctype html>
    <html lang="pt-BR">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <title>${title}</title>
        <style>
          ${STYLE}
        </style>
      </head>
      <body>
        <main>
          <h1>${title}</h1>
          <p>${text}</p>
          ${button ? html`<form method="post"><button>${button}</button></form>` : ""}
          <p><small>Página simulada do provedor: nenhuma imagem é pedida nem guardada.</small></p>
        </main>
      </body>
    </html>`;

export function mountPages(app: Hono<Entry>, service: Service, pages: readonly Page[]): void {
  for (const { method, path, show, peek = show } of pages) {
    app.on(method, routerPath(path), async (c) => {
      const headers = { ...HEADERS, "X-Request-Id": c.env.requestId };
      const sheet = await (c.req.method === "HEAD" ? peek : show)(service, c.req.param());
      return c.html(render(sheet), 200, headers);
    });
  }
}
