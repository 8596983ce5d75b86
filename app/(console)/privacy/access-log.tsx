import { Icon } from "@/components/ui/icons";
import { getLocale, getTranslations } from "next-intl/server";
import { requireScope } from "@/app/(console)/screen";
import { RecordSection } from "@/components/layout/record-columns";
import { SectionBoundary } from "@/components/layout/section-boundary";
import { SealedText } from "@/components/table/provider-text";
import { buttonClass } from "@/components/ui/button";
import type { CustomerKind } from "@/lib/privacy/view";
import { formatDateTime } from "@/lib/text/format";
import { hrefWith } from "@/lib/text/page";
import { listCaseAccesses, listAccesses, type AccessRow } from "@/lib/privacy/queries";

type AccessLogProps = { kind: CustomerKind; id: string };

/** Auditors see all of the customer's; deciders this case's; others none. */
export async function AccessLog({ kind, id }: AccessLogProps) {
  const { id: scope, permissions } = await requireScope();
  const isAuditor = permissions.includes("audit:read");
  if (!isAuditor && !(kind === "kyc" && permissions.includes("kyc:decide"))) return null;
  const file = permissions.includes("audit:export") ? hrefWith("/api/privacy/access-log", { kind, id, scope }) : null;
  const read = isAuditor ? () => listAccesses({ kind, id }) : () => listCaseAccesses(id);
  const extent = kind === "kyc" ? (isAuditor ? "looksOfCase" : "looksOfCaseAlone") : "looksOfAll";
  return (
    <SectionBoundary>
      <LookSection read={read} extent={extent} file={file} />
    </SectionBoundary>
  );
}

type LookSectionProps = {
  read: () => Promise<AccessRow[] | null>;
  extent: "looksOfAll" | "looksOfCase" | "looksOfCaseAlone";
  file: string | null;
};

async function LookSection({ read, extent, file }: LookSectionProps) {
  const [accesses, t] = await Promise.all([read(), getTranslations("privacy")]);
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
      {accesses === null || accesses.length === 0 ? (
        <p className="border-y border-line px-5 py-3 text-muted">{t("noLooks")}</p>
      ) : (
        <ol className="divide-y divide-line border-y border-line">
          {accesses.map((access) => (
            <Access key={access.seq} access={access} />
          ))}
        </ol>
      )}
      <p className="px-5 pt-2 text-sm text-muted">{t(extent)}</p>
    </RecordSection>
  );
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
