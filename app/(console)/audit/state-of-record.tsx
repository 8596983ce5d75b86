import { Icon } from "@/components/ui/icons";
import { useLocale, useTranslations } from "next-intl";
import Link from "next/link";
import { Notice } from "@/components/ui/notice";
import type { RecordState } from "@/lib/audit-trail/queries";
import { formatCount, formatDateTime, formatTime } from "@/lib/text/format";
import { hrefWith } from "@/lib/text/page";
import { civilDay } from "@/lib/text/time";

function useMoment(): (iso: string) => string {
  const t = useTranslations("audit.state");
  const locale = useLocale();
  return (iso) =>
    civilDay(new Date(iso)) === civilDay(new Date())
      ? t("atTime", { time: formatTime(iso, locale) })
      : t("onDay", { time: formatDateTime(iso, locale) });
}

export function StateOfRecord({ state }: { state: RecordState }) {
  const { fault, abandoned, unreadable } = state;
  return (
    <>
      {fault === null ? <Sound state={state} /> : <Touched fault={fault} checkedAt={state.checkedAt} />}
      {abandoned.length === 0 ? null : <Abandoned writes={abandoned} />}
      {unreadable.length === 0 ? null : <Unreadable count={unreadable.length} />}
    </>
  );
}

function Sound({ state }: { state: RecordState }) {
  const t = useTranslations("audit.state");
  const locale = useLocale();
  const moment = useMoment();
  const { upTo, checkedAt, signed } = state;
  const isChecked = upTo !== null && checkedAt !== null;
  const icon = isChecked ? "shield-check" : "shield-question";
  return (
    <p className="flex flex-wrap items-center gap-x-3 gap-y-1 border-y border-line px-5 py-2 text-sm text-muted">
      <span className="inline-flex items-center gap-2">
        <Icon of={icon} size={15} className={isChecked ? "text-positive" : "text-faint"} />
        {isChecked ? t("sound", { row: formatCount(upTo, locale), when: moment(checkedAt) }) : t("unchecked")}
      </span>
      {signed === null ? null : (
        <span>{t("signed", { row: formatCount(signed.seq, locale), when: moment(signed.at) })}</span>
      )}
    </p>
  );
}

type TouchedProps = { fault: NonNullable<RecordState["fault"]>; checkedAt: string | null };

function Touched({ fault, checkedAt }: TouchedProps) {
  const t = useTranslations("audit.state");
  const locale = useLocale();
  const moment = useMoment();
  return (
    <div role="alert" className="px-5 py-3">
      <Notice tone="negative">
        <strong className="font-semibold">{t(`faults.${fault.kind}`, { row: formatCount(fault.seq, locale) })}</strong>{" "}
        {checkedAt === null ? null : t("foundAt", { when: moment(checkedAt) })} {t("whatNow")}{" "}
        <Link
          href={hrefWith("/audit", { before: fault.seq + 25 })}
          prefetch={false}
          className="font-medium text-accent underline"
        >
          {t("seeRow", { row: formatCount(fault.seq, locale) })}
        </Link>
      </Notice>
    </div>
  );
}

const SHOWN = 3;

function Abandoned({ writes }: { writes: RecordState["abandoned"] }) {
  const t = useTranslations("audit.state");
  const locale = useLocale();
  return (
    <div className="px-5 py-2">
      <Notice tone="warning">
        <strong className="font-medium">{t("abandoned", { count: writes.length })}</strong> {t("abandonedBody")}{" "}
        {writes.slice(0, SHOWN).map(({ intentId, seq }) => (
          <Link
            key={intentId}
            href={hrefWith("/audit", { search: intentId })}
            prefetch={false}
            className="mr-2 font-medium text-accent underline"
          >
            {t("seeRow", { row: formatCount(seq, locale) })}
          </Link>
        ))}
      </Notice>
    </div>
  );
}

function Unreadable({ count }: { count: number }) {
  const t = useTranslations("audit.state");
  return (
    <div className="px-5 py-2">
      <Notice tone="warning">
        <strong className="font-medium">{t("unreadable", { count })}</strong> {t("unreadableBody")}{" "}
        <Link
          href={hrefWith("/audit", { code: "records.unreadable" })}
          prefetch={false}
          className="font-medium text-accent underline"
        >
          {t("seeUnreadable")}
        </Link>
      </Notice>
    </div>
  );
}
