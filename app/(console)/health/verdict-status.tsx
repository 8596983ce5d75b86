import { useTranslations } from "next-intl";
import { type Look, Status } from "@/components/ui/status";
import type { Verdict } from "@/lib/health/view";

const LOOKS: Readonly<Record<Verdict, Look>> = {
  well: { tone: "positive", progress: "settled" },
  late: { tone: "warning", progress: "moving" },
  failing: { tone: "negative", progress: "waiting" },
};

export function VerdictStatus({ verdict }: { verdict: Verdict | null }) {
  const t = useTranslations("health.verdicts");
  if (verdict === null) return <span className="text-muted">{t("unknown")}</span>;
  return <Status {...LOOKS[verdict]}>{t(verdict)}</Status>;
}
