import { useTranslations } from "next-intl";
import { ProviderText } from "@/components/layout/provider-text";

export function ProviderSaid({ said, className = "mt-1 block" }: { said: string | null; className?: string }) {
  const t = useTranslations("common");
  if (said === null || said === "") return null;
  return (
    <span className={className}>
      {t("providerSays")}{" "}
      <q>
        <ProviderText text={said} />
      </q>
    </span>
  );
}
