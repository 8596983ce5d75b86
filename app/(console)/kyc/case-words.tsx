import { useTranslations } from "next-intl";
import type { KycProcessName, KycType } from "@/lib/contract/kyc";
import { isUnknown, rawWord } from "@/lib/unknown";

export function KycTypeName({ type }: { type: KycType }) {
  const t = useTranslations("kyc.type");
  return isUnknown(type) ? rawWord(type) : t(type);
}

export function KycStepName({ process }: { process: KycProcessName }) {
  const t = useTranslations("kyc.process");
  return isUnknown(process) ? rawWord(process) : t(process);
}
