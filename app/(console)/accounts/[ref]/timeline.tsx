import {
  Banknote,
  CircleCheck,
  CircleX,
  Clock,
  Eye,
  Hourglass,
  Lock,
  type LucideIcon,
  TriangleAlert,
  Undo2,
  UserCheck,
} from "lucide-react";
import { getLocale, getTranslations } from "next-intl/server";
import { PersonName } from "@/components/layout/person-name";
import { RecordSection } from "@/components/layout/record-columns";
import { getTimeline } from "@/lib/accounts/queries";
import type { AccountEventKind } from "@/lib/accounts/view";
import { formatDateTime } from "@/lib/text/format";

const ICONS: Record<AccountEventKind, LucideIcon> = {
  opened: Banknote,
  known: Eye,
  "closing-proposed": UserCheck,
  "closing-authorised": CircleCheck,
  "closing-refused": CircleX,
  "closing-withdrawn": Undo2,
  "closing-expired": Clock,
  "closing-failed": TriangleAlert,
  "closing-sent": Hourglass,
  "closing-rejected": CircleX,
  closed: Lock,
};

export async function Timeline({ accountRef }: { accountRef: string }) {
  const [events, t, locale] = await Promise.all([
    getTimeline(accountRef),
    getTranslations("accountTimeline"),
    getLocale(),
  ]);
  return (
    <RecordSection id="timeline" title={t("title")}>
      <ol className="border-y border-line py-1.5">
        {events.map(({ kind, at, byName, isMine }) => {
          const Icon = ICONS[kind];
          return (
            <li key={`${kind} ${at}`} className="flex flex-wrap items-start gap-x-2.5 px-5 py-1.5">
              <Icon aria-hidden size={14} className="mt-0.75 shrink-0 text-faint" />
              <p className="min-w-0 flex-1 wrap-anywhere">
                {t(`event.${kind}`)}
                {byName === null ? null : (
                  <span className="text-muted">
                    {" "}
                    <PersonName name={t("byName", { name: byName })} you={isMine ? t("byYou") : null} />
                  </span>
                )}
              </p>
              <time dateTime={at} className="shrink-0 text-sm text-muted tabular-nums">
                {formatDateTime(at, locale)}
              </time>
            </li>
          );
        })}
      </ol>
    </RecordSection>
  );
}
