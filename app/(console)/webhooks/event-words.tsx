import { useTranslations } from "next-intl";
import { ProviderText } from "@/components/layout/provider-text";
import { providerWord } from "@/lib/text/provider-word";
import { WEBHOOK_EVENTS } from "@/lib/webhooks/view";

export function EventWord({ event }: { event: string }) {
  const t = useTranslations();
  const known = WEBHOOK_EVENTS.find((name) => name === event);
  if (known !== undefined) return t(`webhooks.events.${known}`);
  if (event === "") return <span className="text-muted">{t("received.noType")}</span>;
  return <ProviderText text={providerWord(event)} />;
}
