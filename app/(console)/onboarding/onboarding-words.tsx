import { useTranslations } from "next-intl";
import { cn } from "@/components/ui/cn";
import type { WhoActs as Who } from "@/lib/db/enums/onboarding";

export function WhoActs({ who }: { who: Who }) {
  const t = useTranslations("onboarding.acts");
  const isUrgent = who === "holder" || who === "us";
  return <span className={cn(isUrgent ? "font-medium text-warning" : "text-muted")}>{t(who)}</span>;
}
