import { NextIntlClientProvider } from "next-intl";
import type { ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import english from "@/messages/en.json";
import { DifferenceNote, FieldName } from "./difference-words";

const inWords = (shown: ReactNode) =>
  renderToStaticMarkup(
    <NextIntlClientProvider locale="en" messages={english} timeZone="America/Sao_Paulo">
      {shown}
    </NextIntlClientProvider>,
  ).replaceAll(/<[^>]*>/g, "");

it.each([
  ["MISSING", "", "string | null", "text / null expected"],
  ["RETYPED", "string", "integer", "text instead of whole number"],
  ["UNKNOWN", "array", "", "list, not in the contract"],
] as const)("says what came instead: %s", (is, found, documented, words) => {
  expect(inWords(<DifferenceNote is={is} field="a" found={found} documented={documented} />)).toBe(words);
});

it("shows that a name is hidden", () => {
  expect(inWords(<FieldName field="data.*" />)).toBe("data.(name hidden)");
  expect(inWords(<FieldName field="data[].coin" />)).toBe("data[].coin");
  expect(inWords(<FieldName field="" />)).toBe("the whole answer");
});
