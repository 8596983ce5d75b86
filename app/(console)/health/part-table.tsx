import { useLocale, useTranslations } from "next-intl";
import Link from "next/link";
import type { ReactNode } from "react";
import { BELOW, type Columns, DataTable } from "@/components/table/data-table";
import { ProviderText } from "@/components/layout/provider-text";
import { formatAsOf, formatCount, formatDate, formatDateTime } from "@/lib/text/format";
import { civilDaysBetween, MINUTE_MS } from "@/lib/text/time";
import { type Health, type HealthReading, type PartName, PARTS } from "@/lib/health/view";
import { VerdictStatus } from "./verdict-status";

type PartFacts = Readonly<Record<PartName, (health: Health) => readonly ReactNode[]>>;

type Told = { text: string | null; isShown: boolean };

const shown = (...told: readonly Told[]) =>
  told.flatMap(({ text, isShown }) => (isShown && text !== null ? [text] : []));

function useProviderFacts(): Pick<PartFacts, "provider" | "token" | "budget"> {
  const t = useTranslations("health.facts");
  const lanes = useTranslations("provider.lanes");
  const locale = useLocale();
  const at = (time: string) => formatAsOf(time, locale);
  return {
    provider: ({ reading: { provider }, silentLanes }) => {
      const { answeredAt, silentSince, unanswered } = provider;
      return shown(
        { text: t("noCalls"), isShown: answeredAt === null && silentSince === null },
        { text: answeredAt && t("answered", { time: at(answeredAt) }), isShown: true },
        { text: t("silent", { count: unanswered }), isShown: unanswered > 0 },
        {
          text: t("lanes", { lanes: silentLanes.map((lane) => lanes(lane)).join(", ") }),
          isShown: silentLanes.length > 0,
        },
      );
    },
    token: ({ reading: { token } }) => {
      const { grantedAt, failingSince, code } = token;
      if (failingSince !== null) {
        const since = formatDateTime(failingSince, locale);
        if (code === null) return [t("refused", { time: since })];
        return [t.rich("refusedAs", { time: since, code: () => <ProviderText key="code" text={code} /> })];
      }
      return [grantedAt === null ? t("noToken") : t("granted", { time: at(grantedAt) })];
    },
    budget: ({ reading: { budget } }) =>
      shown(
        { text: t("calls", { used: budget.used, limit: budget.limit }), isShown: true },
        { text: t("lowered", { configured: budget.configured }), isShown: budget.limit < budget.configured },
        { text: budget.pausedUntil && t("paused", { time: at(budget.pausedUntil) }), isShown: true },
      ),
  };
}

function useOwnFacts(): Omit<PartFacts, "provider" | "token" | "budget"> {
  const t = useTranslations("health.facts");
  const locale = useLocale();
  const at = (time: string) => formatAsOf(time, locale);
  return {
    database: ({ reading: { database } }) => [
      t("answers", { kind: t(`kinds.${database.kind}`), ms: formatCount(database.answeredInMs, locale) }),
    ],
    writes: ({ reading: { writes } }) => [
      writes.oldestAt === null
        ? t("noWrites")
        : t("writes", { count: writes.open, time: formatDateTime(writes.oldestAt, locale) }),
    ],
    auditHead: ({ reading: { auditHead } }) =>
      shown(
        { text: auditHead.signedAt && t("signed", { time: at(auditHead.signedAt) }), isShown: true },
        { text: t("neverSigned"), isShown: auditHead.signedAt === null },
        { text: t("unsigned", { count: auditHead.unsigned }), isShown: auditHead.unsigned > 0 },
      ),
    deliveries: ({ reading: { deliveries } }) => [
      t("wrong", { count: deliveries.wrong, minutes: deliveries.withinMs / MINUTE_MS }),
      t("refusedDay", { count: deliveries.refused }),
    ],
    certificate: ({ reading }) => [certificateFact(reading, { t, locale })],
  };
}

type Words = { t: ReturnType<typeof useTranslations<"health.facts">>; locale: ReturnType<typeof useLocale> };

function certificateFact({ at, certificate }: HealthReading, { t, locale }: Words): string {
  if (certificate === null) return t("noHttps");
  const { endsAt, lookedAt } = certificate;
  if (lookedAt === null) return t("notLooked");
  if (endsAt === null) return t("unreadCertificate", { time: formatAsOf(lookedAt, locale) });
  const date = formatDate(endsAt, locale);
  if (Date.parse(endsAt) < Date.parse(at)) return t("hasEnded", { date });
  return t("ends", { date, days: civilDaysBetween(new Date(at), new Date(endsAt)) });
}

/** Where more of it stands, for who may see it: all of these may be read by whoever reads this screen. */
const MORE: Partial<Record<PartName, string>> = {
  provider: "/calls",
  token: "/calls",
  writes: "/audit?outcome=UNKNOWN",
  auditHead: "/audit",
  deliveries: "/webhooks",
};

const CELL = "py-1.5 whitespace-normal!";

type PartRow = { name: PartName };

export function PartTable({ health }: { health: Health }) {
  const t = useTranslations("health");
  const locale = useLocale();
  const facts: PartFacts = { ...useProviderFacts(), ...useOwnFacts() };
  const columns: Columns<PartRow> = {
    part: {
      header: t("columns.part"),
      width: "address",
      td: `${CELL} font-medium`,
      cell: ({ name }) => {
        const more = MORE[name];
        if (more === undefined) return t(`names.${name}`);
        return (
          <Link href={more} prefetch={false} className="text-accent hover:underline">
            {t(`names.${name}`)}
          </Link>
        );
      },
    },
    state: {
      header: t("columns.state"),
      width: "status",
      td: CELL,
      cell: ({ name }) => {
        const { verdict, since } = health.judged.parts[name];
        return (
          <>
            <VerdictStatus verdict={verdict} />
            {since === null ? null : (
              <span className="block text-sm text-muted tabular-nums">
                {t("errorSince", { time: formatDateTime(since, locale) })}
              </span>
            )}
          </>
        );
      },
    },
    facts: {
      header: t("columns.facts"),
      width: "text",
      td: `${CELL} ${BELOW} tabular-nums`,
      cell: ({ name }) =>
        facts[name](health).map((fact, index) => (
          <span key={`${name} ${index}`} className={index === 0 ? "block" : "block text-sm text-muted"}>
            {fact}
          </span>
        )),
    },
  };
  return (
    <DataTable
      label={t("parts")}
      columns={columns}
      rows={PARTS.map((name) => ({ name }))}
      keyOf={({ name }) => name}
      narrow="grid"
    />
  );
}
