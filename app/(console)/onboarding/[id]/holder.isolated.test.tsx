import { NextIntlClientProvider } from "next-intl";
import { parse } from "node-html-parser";
import type { ComponentProps } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it, vi } from "vitest";
import english from "@/messages/en.json";
import { Steps } from "./holder";

vi.mock("./attempts", () => ({ TryAgain: () => null }));
vi.mock("./biometric-link", () => ({ HolderCopy: () => null }));

const steps: ComponentProps<typeof Steps>["steps"] = [
  { step: "background-check", state: "refused" },
  { step: "biometrics", state: "ahead" },
];

const statesOf = (hasEnded: boolean) =>
  parse(
    renderToStaticMarkup(
      <NextIntlClientProvider locale="en" messages={english} timeZone="America/Sao_Paulo">
        <Steps steps={steps} hasEnded={hasEnded} />
      </NextIntlClientProvider>,
    ),
  )
    .querySelectorAll("li")
    .map((line) => line.querySelectorAll("span").at(-1)?.text);

it("calls no step the next one after a refusal", () => {
  expect(statesOf(true)).toEqual(["refused here", "not reached"]);
  expect(statesOf(false)).toEqual(["refused here", "next"]);
});
