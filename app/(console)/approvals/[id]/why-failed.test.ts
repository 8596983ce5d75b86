import { createTranslator } from "next-intl";
import { expect, it } from "vitest";
import portuguese from "@/messages/pt-BR.json";
import type { Told } from "@/lib/errors/result";
import { whyFailed } from "./why-failed";

const say = createTranslator({ locale: "pt-BR", messages: portuguese });

const told = (changes: Partial<Told>): Told => ({ code: null, status: 422, said: null, wasSent: true, ...changes });

it.each([
  [{ code: null, told: told({}) }, "O provedor recusou (422) e não informou o motivo."],
  [{ code: null, told: told({ said: "Saldo em garantia" }) }, "O provedor recusou (422): “Saldo em garantia”"],
  [{ code: null, told: told({ status: 409 }) }, "por duplicidade ou conflito (409)"],
  [{ code: null, told: told({ status: 412 }) }, "não conseguiu concluir (412)"],
  [{ code: null, told: told({ status: 418 }) }, "O provedor respondeu com o status 418 e não informou"],
  [{ code: null, told: told({ wasSent: false }) }, "Nada foi enviado"],
  [{ code: "NO_GAS", told: told({ code: "NO_GAS" }) }, "O provedor recusou (422, NO_GAS)"],
  [{ code: "SECURITY_SERVICE_UNAVAILABLE", told: told({ status: 503 }) }, "serviço antifraude do provedor"],
  [
    {
      code: "TRANSACTION_BLOCKED",
      told: told({ code: "TRANSACTION_BLOCKED", status: 403, said: "Regra 7 do antifraude" }),
    },
    "Regra 7 do antifraude",
  ],
  [{ code: "case-changed", told: told({}) }, portuguese.approvals.caseMoved],
  [{ code: null, told: null }, ""],
  [{ code: "no-answer", told: null }, portuguese.endings["no-answer"]],
  [{ code: null, told: told({ code: "no-answer", status: null }) }, portuguese.endings["no-answer"]],
])("says why a request that failed with %o did so", (record, words) => {
  expect(whyFailed(record, say)).toContain(words);
});

it.each(Object.keys(portuguese.endings))("does not attribute %s to the provider when nobody answered", (code) => {
  for (const status of [null, 200]) {
    const why = whyFailed({ code, told: told({ code, status }) }, say);
    expect(why).not.toContain(code);
    expect(why).not.toContain("Código");
  }
});

it("attributes a code in the provider's answer to the provider", () => {
  const why = whyFailed({ code: null, told: told({ code: "SOMETHING_NEW", status: null }) }, say);
  expect(why).toContain(say("refusedStatuses.code", { code: "SOMETHING_NEW" }));
});
