import { useTranslations } from "next-intl";
import { type Look, Status } from "@/components/ui/status";
import type { WatchVerdict } from "@/lib/health/view";

type Shown = WatchVerdict["verdict"];

const LOOKS: Readonly<Record<Shown, Look>> = {
  well: { tone: "positive", progress: "settled" },
  late: { tone: "warning", progress: "moving" },
  failing: { tone: "negative", progress: "waiting" },
  idle: { tone: "neutral", progress: "settled" },
};

export function VerdictStatus({ verdict }: { verdict: Shown | null }) {
  const t = useTranslations("health.verdicts");
  if (verdict === null) return <span className="text-muted">{t("unknown")}</span>;
  return <Status {...LOOKS[verdict]}>{t(verdict)}</Status>;
}
