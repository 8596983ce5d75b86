import { Download, Eye } from "lucide-react";
import { getLocale, getTranslations } from "next-intl/server";
import { requireDesk } from "@/app/(console)/desk";
import { RecordSection } from "@/components/layout/record-columns";
import { SectionBoundary } from "@/components/layout/section-boundary";
import { SealedText } from "@/components/table/sealed-text";
import { buttonClass } from "@/components/ui/button";
import type { CustomerKind } from "@/lib/privacy/view";
import { formatDateTime } from "@/lib/text/format";
import { hrefWith } from "@/lib/text/page";
import { listCaseLooks, listLooks, type LookRow } from "@/lib/privacy/queries";

type LooksProps = { kind: CustomerKind; id: string };

/** Auditors see all of the customer's; deciders this case's; others none. */
export async function Looks({ kind, id }: LooksProps) {
  const { id: desk, permissions } = await requireDesk();
  const isAuditor = permissions.includes("audit:read");
  if (!isAuditor && !(kind === "kyc" && permissions.includes("kyc:decide"))) return null;
  const file = permissions.includes("audit:export") ? hrefWith("/api/privacy/looks", { kind, id, desk }) : null;
  const read = isAuditor ? () => listLooks({ kind, id }) : () => listCaseLooks(id);
  const scope = kind === "kyc" ? (isAuditor ? "looksOfCase" : "looksOfCaseAlone") : "looksOfAll";
  return (
    <SectionBoundary>
      <LookSection read={read} scope={scope} file={file} />
    </SectionBoundary>
  );
}

type LookSectionProps = {
  read: () => Promise<LookRow[] | null>;
  scope: "looksOfAll" | "looksOfCase" | "looksOfCaseAlone";
  file: string | null;
};

async function LookSection({ read, scope, file }: LookSectionProps) {
  const [looks, t] = await Promise.all([read(), getTranslations("privacy")]);
  return (
    <RecordSection
      id="looks"
      title={t("looks")}
      action={
        file ? (
          <a href={file} download className={buttonClass("quiet", "small")}>
            <Download aria-hidden size={13} />
            {t("exportLooks")}
          </a>
        ) : null
      }
    >
      {looks === null || looks.length === 0 ? (
        <p className="border-y border-line px-5 py-3 text-muted">{t("noLooks")}</p>
      ) : (
        <ol className="divide-y divide-line border-y border-line">
          {looks.map((look) => (
            <Look key={look.seq} look={look} />
          ))}
        </ol>
      )}
      <p className="px-5 pt-2 text-sm text-muted">{t(scope)}</p>
    </RecordSection>
  );
}

async function Look({ look }: { look: LookRow }) {
  const [t, locale] = await Promise.all([getTranslations(), getLocale()]);
  return (
    <li className="px-5 py-2">
      <div className="flex flex-wrap items-baseline justify-between gap-x-3">
        <span className="flex min-w-0 items-center gap-1.5">
          {look.reason === null ? null : <Eye aria-hidden size={13} className="shrink-0 text-warning" />}
          <span className="font-medium">{look.byName ?? t("privacy.someoneGone")}</span>
          <span className="text-muted">{t(`audit.codes.${look.code}`)}</span>
        </span>
        <time dateTime={look.at} className="text-sm text-muted tabular-nums">
          {formatDateTime(look.at, locale)}
        </time>
      </div>
      {look.reason === null ? null : (
        <p className="mt-0.5 text-sm text-muted wrap-anywhere">
          {t(`privacy.reasons.${look.reason.choice}`)}: <SealedText text={look.reason.note} />
        </p>
      )}
    </li>
  );
}
