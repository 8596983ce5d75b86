import { useTranslations } from "next-intl";
import { Badge, type Tone } from "@/components/ui/badge";
import type { KycStatus } from "@/lib/contract/kyc";
import type { OnboardingStatus } from "@/lib/contract/onboarding";
import type { Unknown } from "@/lib/contract/shared";
import { isUnknown, rawWord } from "@/lib/unknown";

type Known<Status extends string> = Exclude<Status, Unknown>;

const KYC_TONES: Record<Known<KycStatus>, Tone> = {
  PENDING: "warning",
  PROCESSING: "info",
  APPROVED: "positive",
  REPROVED: "negative",
};

const ONBOARDING_TONES: Record<Known<OnboardingStatus>, Tone> = {
  PROCESSING: "info",
  CONFIRMED: "positive",
  ERROR: "negative",
};

/** A status the interface does not name is shown as it came, without a colour. */
export function UnknownBadge({ word }: { word: string }) {
  return <Badge tone="neutral">{word}</Badge>;
}

export function KycStatusBadge({ status }: { status: KycStatus }) {
  const t = useTranslations("kyc.status");
  if (isUnknown(status)) return <UnknownBadge word={rawWord(status)} />;
  return <Badge tone={KYC_TONES[status]}>{t(status)}</Badge>;
}

export function OnboardingStatusBadge({ status }: { status: OnboardingStatus }) {
  const t = useTranslations("onboarding.status");
  if (isUnknown(status)) return <UnknownBadge word={rawWord(status)} />;
  return <Badge tone={ONBOARDING_TONES[status]}>{t(status)}</Badge>;
}
