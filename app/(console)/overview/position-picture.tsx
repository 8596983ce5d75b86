import { useLocale, useTranslations } from "next-intl";
import Link from "next/link";
import { SumAmount, useMoment, useSumName } from "@/app/(console)/position/position-words";
import type { Position } from "@/lib/position/queries";
import {
  bySize,
  groupWord,
  idOfSum,
  isAtZero,
  isByNetwork,
  kindWord,
  POSITION_GROUPS,
  type PositionGroup,
  type PositionSum,
} from "@/lib/position/view";
import { isInReais, type PositionKind } from "@/lib/db/enums/position";
import { formatTime } from "@/lib/text/format";

const MAX_SUMS = 4;

const isTold = ({ amount, unread }: PositionSum) => amount !== null || unread > 0;

export function PositionPicture({ position }: { position: Position }) {
  const t = useTranslations("position");
  const locale = useLocale();
  const momentOf = useMoment();
  const { day, round, moment, reading } = position;
  const sums = position.sums.filter(isTold);
  const groups = POSITION_GROUPS.map(({ group, kinds }) => {
    const own: readonly PositionKind[] = kinds;
    const all = sums.filter((sum) => own.includes(sum.kind)).toSorted(bySize);
    const atZero = all.filter((sum) => isAtZero(sum) && !isInReais(sum.kind)).length;
    return { group, sums: all.filter((sum) => !isAtZero(sum)).slice(0, MAX_SUMS), atZero };
  });
  const counts = { tried: reading?.tried ?? 0, total: reading?.total ?? 0 };
  return (
    <section aria-labelledby="home-position" className="min-w-0 border-b border-line pb-4">
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
      {sums.length === 0 ? (
        <p className="px-5 text-faint">{t("neverRead")}</p>
      ) : (
        groups.map((one) =>
          one.sums.length + one.atZero === 0 ? null : <Group key={one.group} {...one} tellsOwn={position.tellsOwn} />,
        )
      )}
    </section>
  );
}

type GroupProps = { group: PositionGroup; sums: readonly PositionSum[]; atZero: number; tellsOwn: boolean };

function Group({ group, sums, atZero, tellsOwn }: GroupProps) {
  const t = useTranslations("position");
  const nameOf = useSumName();
  return (
    <div className="px-5 pb-3">
      <h3 className="pb-1 text-sm font-medium">{t(`groups.${groupWord(group, { tellsOwn })}`)}</h3>
      {isByNetwork(sums) ? <p className="pb-1 text-sm text-muted">{t("byNetwork")}</p> : null}
      <dl className="grid gap-x-8 gap-y-3 medium:grid-cols-2 @widest:grid-cols-4">
        {sums.map((sum) => (
          <div key={idOfSum(sum)}>
            <dt className="text-sm text-muted">
              {t(`kinds.${kindWord(sum.kind, { tellsOwn })}`)} · {nameOf(sum)}
            </dt>
            <dd className="font-medium tabular-nums wrap-anywhere">
              {sum.amount === null ? t("unknown") : <SumAmount sum={sum} decimal={sum.amount} />}
              {sum.unread === 0 ? null : (
                <span className="block text-sm font-normal text-warning">{t("unread", { count: sum.unread })}</span>
              )}
            </dd>
          </div>
        ))}
      </dl>
      {atZero === 0 ? null : <p className="pt-1 text-sm text-muted">{t("atZero", { count: atZero })}</p>}
    </div>
  );
}
