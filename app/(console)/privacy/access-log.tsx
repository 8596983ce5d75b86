import { Icon } from "@/components/ui/icons";
import { useTranslations } from "next-intl";
import { getLocale, getTranslations } from "next-intl/server";
import { useFieldName } from "@/app/(console)/audit/field-name";
import { requireScope } from "@/app/(console)/screen";
import { RecordSection } from "@/components/layout/record-columns";
import { SectionBoundary } from "@/components/freshness/section-boundary";
import { SealedText } from "@/components/layout/provider-text";
import { buttonClass } from "@/components/ui/button";
import { ChoiceLinks } from "@/components/ui/choice-links";
import { screenOf } from "@/lib/audit/object-view";
import { AccessPeriod, revealedObject } from "@/lib/privacy/inputs";
import type { CustomerKind } from "@/lib/db/enums/privacy";
import { formatDateTime } from "@/lib/text/format";
import { hrefWith } from "@/lib/text/page";
import { markedPreset } from "@/lib/text/period";
import { firstOfLastDays } from "@/lib/text/time";
import { listCaseAccesses, listAccesses, type AccessRow } from "@/lib/privacy/queries";

type Search = Readonly<Record<string, unknown>>;

type AccessLogProps = { kind: CustomerKind; id: string; search: Search };

/** Auditors see every access to the customer; deciders only this case's; others none. */
export async function AccessLog({ kind, id, search }: AccessLogProps) {
  const { id: scope, permissions } = await requireScope();
  const isAuditor = permissions.includes("audit:read");
  if (!isAuditor && !(kind === "kyc" && permissions.includes("kyc:decide"))) return null;
  const period = AccessPeriod.parse(search);
  const path = screenOf(revealedObject({ kind, id }))?.href ?? "/";
  const file = permissions.includes("audit:export")
    ? hrefWith("/api/privacy/access-log", { kind, id, ...period, scope })
    : null;
  const read = isAuditor ? () => listAccesses({ kind, id }, period) : () => listCaseAccesses(id, period);
  const extent = kind === "kyc" ? (isAuditor ? "looksOfCase" : "looksOfCaseAlone") : "looksOfAll";
  return (
    <SectionBoundary>
      <LookSection read={read} extent={extent} file={file} path={path} search={search} />
    </SectionBoundary>
  );
}

type LookSectionProps = {
  read: () => Promise<AccessRow[] | null>;
  extent: "looksOfAll" | "looksOfCase" | "looksOfCaseAlone";
  file: string | null;
  path: string;
  search: Search;
};

const PERIODS = ["7", "30", "90"] as const;

async function LookPeriod({ path, search }: { path: string; search: Search }) {
  const [t, presets] = await Promise.all([getTranslations("privacy"), getTranslations("accounts.presets")]);
  const { seenFrom } = AccessPeriod.parse(search);
  const kept = Object.fromEntries<string>(
    Object.entries(search).flatMap(([name, value]) =>
      name in AccessPeriod.shape || typeof value !== "string" ? [] : [[name, value]],
    ),
  );
  const hrefOf = (from?: string) => `${hrefWith(path, { ...kept, seenFrom: from })}#looks`;
  const offered = PERIODS.map((name) => ({ name, first: firstOfLastDays(Number(name)) }));
  const marked = markedPreset(offered, { first: seenFrom });
  const periods = offered.map(({ name, first }) => ({
    href: hrefOf(first),
    label: presets(name),
    isCurrent: name === marked,
  }));
  return (
    <div className="px-5 pb-3">
      <ChoiceLinks
        label={t("seenPeriod")}
        choices={[{ href: hrefOf(), label: t("seenAll"), isCurrent: seenFrom === undefined }, ...periods]}
      />
    </div>
  );
}

async function LookSection({ read, extent, file, path, search }: LookSectionProps) {
  const [accesses, t] = await Promise.all([read(), getTranslations("privacy")]);
  const isNarrowed = Object.values(AccessPeriod.parse(search)).some((day) => day !== undefined);
  return (
    <RecordSection
      id="looks"
      title={t("looks")}
      action={
        file ? (
          <a href={file} download className={buttonClass("quiet", "small")}>
            <Icon of="download" size={13} />
            {t("exportLooks")}
          </a>
        ) : null
      }
    >
      <LookPeriod path={path} search={search} />
      {accesses === null || accesses.length === 0 ? (
        <p className="border-y border-line px-5 py-3 text-muted">{t(isNarrowed ? "noLooksThen" : "noLooks")}</p>
      ) : (
        <ol className="divide-y divide-line border-y border-line">
          {accesses.map((access) => (
            <Access key={access.seq} access={access} />
          ))}
        </ol>
      )}
      <p className="px-5 pt-2 text-sm text-muted">
        {t(extent)} {file === null ? null : t("looksFile", { of: isNarrowed ? "period" : "all" })}
      </p>
    </RecordSection>
  );
}

/** What of the record was shown in clear. */
export function ShownField({ shown: { field, path } }: { shown: NonNullable<AccessRow["shown"]> }) {
  const t = useTranslations("audit.values.field");
  const nameOf = useFieldName();
  return <span className="wrap-anywhere">{path === null ? t(field) : nameOf(path)}</span>;
}

async function Access({ access }: { access: AccessRow }) {
  const [t, locale] = await Promise.all([getTranslations(), getLocale()]);
  return (
    <li className="px-5 py-2">
      <div className="flex flex-wrap items-baseline justify-between gap-x-3">
        <span className="flex min-w-0 items-center gap-1.5">
          {access.reason === null ? null : <Icon of="eye" size={13} className="shrink-0 text-warning" />}
          <span className="font-medium">{access.byName ?? t("privacy.someoneGone")}</span>
          <span className="text-muted">{t(`audit.codes.${access.code}`)}</span>
          {access.shown === null ? null : <ShownField shown={access.shown} />}
        </span>
        <time dateTime={access.at} className="text-sm text-muted tabular-nums">
          {formatDateTime(access.at, locale)}
        </time>
      </div>
      {access.reason === null ? null : (
        <p className="mt-0.5 text-sm text-muted wrap-anywhere">
          {t(`privacy.reasons.${access.reason.choice}`)}: <SealedText text={access.reason.note} />
        </p>
      )}
    </li>
  );
}
