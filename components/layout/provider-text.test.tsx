import { NextIntlClientProvider } from "next-intl";
import type { ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { ShownValue } from "@/app/(console)/approvals/shown-value";
import { useSpokenValue } from "@/app/(console)/approvals/spoken-value";
import { EntryWord } from "@/app/(console)/accounts/standing";
import { ObjectLink } from "@/app/(console)/audit/audit-words";
import { KycStepName, KycTypeName } from "@/app/(console)/kyc/case-words";
import { Subscriptions } from "@/app/(console)/webhooks/subscriptions";
import { EventName } from "@/app/(console)/webhooks/event-name";
import { AssetAmount, FamilyName, ListedAmount, WalletStatus } from "@/app/(console)/wallets/wallet-words";
import { GroupedAddress } from "@/components/table/grouped-address";
import { RecordLink } from "@/components/table/row-details";
import { KycStatusBadge, OnboardingStatusBadge } from "./badges";
import { providerText } from "@/lib/text/provider-word";
import english from "@/messages/en.json";

const WORD = `Lua\u202E${"x".repeat(300)}`;
const UNKNOWN = `unknown:${WORD}` as const;

const shown = (node: ReactNode) =>
  renderToStaticMarkup(
    <NextIntlClientProvider locale="en" messages={english} timeZone="America/Sao_Paulo">
      {node}
    </NextIntlClientProvider>,
  );

function Spoken() {
  const spoken = useSpokenValue();
  return [spoken({ as: "kyc-status", status: UNKNOWN }), spoken({ as: "text", text: WORD })].join(" ");
}

const text = { as: "text", text: WORD } as const;
const held = { asset: WORD, balance: "0.1234567890123", decimals: null, doubt: null, tokenAddress: null };
const subscription = { url: WORD, isOurs: true, events: [UNKNOWN], status: WORD };

it.each([
  ["the status of a case", <KycStatusBadge key="" status={UNKNOWN} />],
  ["the status of an onboarding", <OnboardingStatusBadge key="" status={UNKNOWN} />],
  ["the kind of a person", <KycTypeName key="" type={UNKNOWN} />],
  ["the step of a case", <KycStepName key="" process={UNKNOWN} />],
  ["a chain family", <FamilyName key="" family={UNKNOWN} />],
  ["the status of a wallet", <WalletStatus key="" status={UNKNOWN} />],
  ["an asset", <AssetAmount key="" held={held} />],
  ["an asset in a list, with its title", <ListedAmount key="" held={held} />],
  ["an address", <GroupedAddress key="" address={WORD} />],
  ["a subscription", <Subscriptions key="" subscriptions={[subscription]} ownAddress="" />],
  ["an event", <EventName key="" event={WORD} />],
  ["what an event is about, or a call was for", <RecordLink key="" object={`wallet:${WORD}`} />],
  ["what a deed was done to", <ObjectLink key="" object={`wallet:${WORD}`} name={null} />],
  ["what was proposed", <ShownValue key="" value={text} />],
  ["a status that was proposed", <ShownValue key="" value={{ as: "kyc-status", status: UNKNOWN }} />],
  ["a proposal in a sentence", <Spoken key="" />],
])("shows hidden characters in a provider's word without adding its own: %s", (_, node) => {
  // Our own URLs encode it.
  const markup = shown(node).replaceAll(/ href="[^"]*"/g, "");
  expect(markup).toContain("Lua");
  expect(markup).not.toContain("\u202E");
  expect(markup).not.toContain("unknown:");
});

it("spells out invisible characters when a provider's word becomes plain text", () => {
  expect(providerText("unknown:EM_\u202EANALISE")).toBe("EM_[U+202E]ANALISE");
  expect(providerText("APPROVED")).toBe("APPROVED");
});

it("translates a word known in its field and shows any other as written", () => {
  expect(shown(<EntryWord field="direction" text="CREDIT" />)).toBe("In");
  expect(shown(<EntryWord field="status" text="CONFIRMED" />)).toBe("Confirmed");
  expect(shown(<EntryWord field="status" text="SETTLED" />)).toContain("SETTLED");
  expect(shown(<EntryWord field="description" text="CREDIT" />)).toContain("CREDIT");
});
