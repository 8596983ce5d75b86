import { useTranslations } from "next-intl";
import { UnknownStatus } from "@/components/layout/badges";
import { type Columns, DataTable } from "@/components/table/data-table";
import { CopyButton } from "@/components/table/copy-button";
import { ProviderText } from "@/components/layout/provider-text";
import { Badge } from "@/components/ui/badge";
import { Status } from "@/components/ui/status";
import { isUnknown, rawWord } from "@/lib/text/provider-word";
import type { SubscriptionRow } from "@/lib/webhooks/queries";

type SubscriptionsProps = { subscriptions: SubscriptionRow[]; ownAddress: string };

export function Subscriptions({ subscriptions, ownAddress }: SubscriptionsProps) {
  const t = useTranslations("webhooks");
  const columns: Columns<SubscriptionRow> = {
    status: {
      header: t("columns.status"),
      width: "status",
      cell: ({ status, isOurs }) => <SubscriptionStatus status={status} isOurs={isOurs} />,
    },
    url: {
      header: t("columns.url"),
      width: "text",
      cell: ({ url, isOurs }) => (
        <span className="block py-2 text-sm wrap-anywhere whitespace-normal">
          <code className="font-mono">
            <ProviderText text={url} />
          </code>
          {isOurs ? null : (
            <span className="mt-1 block">
              <strong className="font-medium">{t("notOurs")}</strong>{" "}
              <span className="text-muted">{t("notOursBody")}</span> <OwnAddress address={ownAddress} />
            </span>
          )}
        </span>
      ),
    },
    events: {
      header: t("columns.events"),
      width: "text",
      cell: ({ events }) => (
        <span className="flex flex-wrap gap-1 py-1.5">
          {events.map((event) => (
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
      ),
    },
  };
  return (
    <DataTable
      label={t("title")}
      columns={columns}
      rows={subscriptions}
      keyOf={(row) => `${subscriptions.indexOf(row)} ${row.url}`}
      narrow="block"
    />
  );
}

export function OwnAddress({ address }: { address: string }) {
  const t = useTranslations("webhooks");
  return (
    <span>
      <code className="font-mono text-sm wrap-anywhere">{address}</code>{" "}
      <CopyButton text={address} label={t("copyAddress")} />
    </span>
  );
}

function SubscriptionStatus({ status, isOurs }: { status: string; isOurs: boolean }) {
  const t = useTranslations("webhooks.status");
  if (status === "") return <span className="text-muted">{t("notSaid")}</span>;
  if (status.toUpperCase() !== "ACTIVE") return <UnknownStatus word={status} />;
  return (
    <Status tone={isOurs ? "positive" : "neutral"} progress="settled">
      {t("ACTIVE")}
    </Status>
  );
}
