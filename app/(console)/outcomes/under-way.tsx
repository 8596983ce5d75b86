import { useTranslations } from "next-intl";
import Link from "next/link";
import { EmptyView } from "@/components/layout/empty-view";
import { HELD_COINS, isAnyUnderWay, type UnderWay } from "@/lib/outcomes/view";

type UnderWayProps = { underWay: UnderWay };

const LINKS = { heldReais: "/transfers?view=held", heldCoins: HELD_COINS } as const;

export function NothingUnconfirmed({ underWay }: UnderWayProps) {
  const t = useTranslations("outcomes");
  const { sending } = underWay;
  const isAny = isAnyUnderWay(underWay);
  return (
    <EmptyView icon="circle-check" title={t("emptyTitle")} body={t(isAny ? "underWay.lead" : "emptyBody")}>
      {isAny ? (
        <ul className="space-y-1">
          {sending === 0 ? null : <li>{t("underWay.sending", { count: sending })}</li>}
          {(["heldReais", "heldCoins"] as const).map((held) =>
            underWay[held] === 0 ? null : (
              <li key={held}>
                <Link href={LINKS[held]} prefetch={false} className="text-accent hover:underline">
                  {t(`underWay.${held}`, { count: underWay[held] })}
                </Link>
              </li>
            ),
          )}
        </ul>
      ) : null}
    </EmptyView>
  );
}
