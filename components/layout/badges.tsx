import { useTranslations } from "next-intl";
import { ProviderText } from "./provider-text";
import { Badge, type Tone } from "@/components/ui/badge";
import { type Look, Status } from "@/components/ui/status";
import type { KycStatus } from "@/lib/contract/kyc";
import type { OnboardingStatus } from "@/lib/contract/onboarding";
import type { Unknown } from "@/lib/contract/shared";
import { namingHidden } from "@/lib/text/safe-link";
import { isUnknown, rawWord } from "@/lib/text/provider-word";

export type Environment = "EMBEDDED" | "SANDBOX" | "PRODUCTION";

const TONES: Record<Environment, Tone> = { EMBEDDED: "info", SANDBOX: "warning", PRODUCTION: "negative" };

export function EnvironmentBadge({ environment }: { environment: Environment }) {
  const t = useTranslations("environment");
  return <Badge tone={TONES[environment]}>{t(environment)}</Badge>;
}

type Known<Word extends string> = Exclude<Word, Unknown>;

const KYC_LOOKS: Record<Known<KycStatus>, Look> = {
  PENDING: { tone: "warning", progress: "waiting" },
  PROCESSING: { tone: "info", progress: "moving" },
  APPROVED: { tone: "positive", progress: "settled" },
  REPROVED: { tone: "negative", progress: "settled" },
};

const ONBOARDING_LOOKS: Record<Known<OnboardingStatus>, Look> = {
  PROCESSING: { tone: "info", progress: "moving" },
  CONFIRMED: { tone: "positive", progress: "settled" },
  ERROR: { tone: "negative", progress: "settled" },
};

/** Unknown statuses appear as written, without colour. */
export function UnknownStatus({ word }: { word: string }) {
  return (
    <Status tone="neutral" progress="waiting">
      <span title={namingHidden(word)} className="min-w-0 wrap-anywhere whitespace-normal">
        <ProviderText text={word} />
      </span>
    </Status>
  );
}

export const kycLookOf = (status: Known<KycStatus>): Look => KYC_LOOKS[status];

export function KycStatusBadge({ status }: { status: KycStatus }) {
  const t = useTranslations("kyc.status");
  if (isUnknown(status)) return <UnknownStatus word={rawWord(status)} />;
  return <Status {...KYC_LOOKS[status]}>{t(status)}</Status>;
}

export function OnboardingStatusBadge({ status }: { status: OnboardingStatus }) {
  const t = useTranslations("onboarding.status");
  if (isUnknown(status)) return <UnknownStatus word={rawWord(status)} />;
  return <Status {...ONBOARDING_LOOKS[status]}>{t(status)}</Status>;
}
