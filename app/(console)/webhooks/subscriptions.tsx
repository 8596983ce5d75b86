import { useTranslations } from "next-intl";
import { type Column, DataTable } from "@/components/data-table";
import { ProviderText } from "@/components/provider-text";
import { UnknownStatus } from "@/components/status-badge";
import { Badge } from "@/components/ui/badge";
import { Status } from "@/components/ui/status";
import { isUnknown, rawWord } from "@/lib/unknown";
import type { SubscriptionRow } from "@/lib/webhooks/queries";

export function Subscriptions({ subscriptions }: { subscriptions: SubscriptionRow[] }) {
  const t = useTranslations("webhooks");
  const columns: Column[] = [
    { header: t("columns.status"), width: "w-[8rem]" },
    { header: t("columns.url"), width: "w-[45cqi]" },
    { header: t("columns.events") },
  ];
  return (
    <DataTable label={t("title")} columns={columns} isStacked>
      {subscriptions.map((subscription, place) => (
        <tr key={`${place} ${subscription.url}`}>
          <td>
            <SubscriptionStatus status={subscription.status} />
          </td>
          <td>
            <code className="block py-2 font-mono text-sm wrap-anywhere whitespace-normal">
              <ProviderText text={subscription.url} />
            </code>
          </td>
          <td>
            <span className="flex flex-wrap gap-1 py-1.5">
              {subscription.events.map((event) => (
                <Badge key={event} tone="neutral" isDotted={false}>
                  {isUnknown(event) ? (
                    <span className="wrap-anywhere whitespace-normal">
                      <ProviderText text={rawWord(event)} />
                    </span>
                  ) : (
                    t(`events.${event}`)
                  )}
                </Badge>
              ))}
            </span>
          </td>
        </tr>
      ))}
    </DataTable>
  );
}

function SubscriptionStatus({ status }: { status: string }) {
  const t = useTranslations("webhooks.status");
  if (status === "") return <span className="text-muted">{t("notSaid")}</span>;
  if (status.toUpperCase() !== "ACTIVE") return <UnknownStatus word={status} />;
  return (
    <Status tone="positive" progress="settled">
      {t("ACTIVE")}
    </Status>
  );
}
