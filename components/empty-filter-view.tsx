import type { LucideIcon } from "lucide-react";
import { useTranslations } from "next-intl";
import Link from "next/link";
import { EmptyView } from "@/components/empty-view";
import { buttonClass } from "@/components/ui/button";

/** Nothing fits the filter; the way back leads to the list without one. */
export function EmptyFilterView({ icon, href }: { icon: LucideIcon; href: string }) {
  const t = useTranslations("states");
  return (
    <EmptyView icon={icon} title={t("emptyFilter")} body={t("emptyFilterBody")}>
      <Link href={href} prefetch={false} className={buttonClass("plain")}>
        {t("clearFilter")}
      </Link>
    </EmptyView>
  );
}
