import { useTranslations } from "next-intl";
import { ProviderText } from "@/components/layout/provider-text";
import { Badge } from "@/components/ui/badge";
import { WEBHOOK_EVENTS } from "@/lib/webhooks/view";

/** An unknown event appears in the sender's words. */
export function EventName({ event }: { event: string }) {
  const t = useTranslations();
  const known = WEBHOOK_EVENTS.find((name) => name === event);
  if (known !== undefined) return t(`webhooks.events.${known}`);
  if (event === "") return <span className="text-muted">{t("received.noType")}</span>;
  return (
    <Badge tone="neutral" isDotted={false}>
      <span className="truncate">
        <ProviderText text={event} />
      </span>
    </Badge>
  );
}
