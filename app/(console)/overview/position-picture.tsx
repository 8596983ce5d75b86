import { useLocale, useTranslations } from "next-intl";
import Link from "next/link";
import { Figures } from "@/app/(console)/position/figures";
import { GroupLine } from "@/app/(console)/position/group-line";
import { useMoment } from "@/app/(console)/position/position-words";
import type { Position } from "@/lib/position/queries";
import type { GroupSeries, PositionGroup } from "@/lib/position/view";
import { formatTime } from "@/lib/text/format";
import { hrefWith } from "@/lib/text/page";

/** `group`: the first that there is; null: nothing was read. */
type PositionPictureProps = { position: Position; group: PositionGroup | null; line: GroupSeries | null };

export function PositionPicture({ position, group, line }: PositionPictureProps) {
  const t = useTranslations("position");
  const locale = useLocale();
  const momentOf = useMoment();
  const { day, round, moment, reading, listed } = position;
  const counts = { tried: reading?.tried ?? 0, total: reading?.total ?? 0 };
  return (
    <section aria-labelledby="home-position" className="@container min-w-0 border-b border-line">
      <div className="flex min-h-12 flex-wrap items-center justify-between gap-x-3 px-5">
        <h2 id="home-position" className="text-sm font-medium text-muted">
          <Link href="/position" prefetch={false}>
            {t("title")}
          </Link>
        </h2>
        {round === null ? null : <span className="text-sm text-muted tabular-nums">{momentOf(day, moment)}</span>}
      </div>
      {reading === null ? null : (
        <p className="px-5 pb-2 text-sm tabular-nums">
          {t("round.today", { ...counts, time: formatTime(reading.startedAt, locale), day: momentOf(day, moment) })}
        </p>
      )}
      {group === null || line === null ? (
        <p className="px-5 pb-4 text-faint">
          {listed === null || listed === 0 ? t("neverRead") : t("listed", { count: listed })}
        </p>
      ) : (
        <>
          <Figures position={position} chosen={null} hrefOf={(one) => hrefWith("/position", { group: one })} />
          <GroupLine group={group} position={position} line={line} />
        </>
      )}
    </section>
  );
}
