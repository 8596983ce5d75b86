import { Compass } from "lucide-react";
import { useTranslations } from "next-intl";
import Link from "next/link";
import { EmptyView } from "@/components/empty-view";
import { buttonClass } from "@/components/ui/button";

export function NotFoundView() {
  const t = useTranslations("absent");
  return (
    <EmptyView isScreen icon={Compass} title={t("notFoundTitle")} body={t("notFoundBody")}>
      <Link href="/" prefetch={false} className={buttonClass("plain")}>
        {t("goHome")}
      </Link>
    </EmptyView>
  );
}
