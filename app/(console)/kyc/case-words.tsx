import { useTranslations } from "next-intl";
import { ProviderText } from "@/components/provider-text";
import type { KycProcessName, KycType } from "@/lib/contract/kyc";
import { isUnknown, rawWord } from "@/lib/unknown";

export function KycTypeName({ type }: { type: KycType }) {
  const t = useTranslations("kyc.type");
  return isUnknown(type) ? <ProviderText text={rawWord(type)} /> : t(type);
}

export function KycStepName({ process }: { process: KycProcessName }) {
  const t = useTranslations("kyc.process");
  return isUnknown(process) ? <ProviderText text={rawWord(process)} /> : t(process);
}
