import { createTranslator } from "next-intl";
import { expect, it } from "vitest";
import portuguese from "@/messages/pt-BR.json";
import { whyFailed } from "./why-failed";

const say = createTranslator({ locale: "pt-BR", messages: portuguese });

it.each([
  [{ code: null, status: 422 }, "uma regra do provedor não aceitou (422)"],
  [{ code: null, status: 418 }, "O provedor respondeu com o status 418."],
  [{ code: "NO_GAS", status: 422 }, "Código do provedor: NO_GAS"],
  [{ code: "case-changed", status: 422 }, portuguese.failures["case-changed"]],
  [{ code: null, status: null }, ""],
])("says of a request that failed with %o why", (record, words) => {
  expect(whyFailed(record, say)).toContain(words);
});
