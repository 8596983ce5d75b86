import { Icon } from "@/components/ui/icons";
import { useTranslations } from "next-intl";
import { Badge, type Tone } from "@/components/ui/badge";
import { type Progress, Status } from "@/components/ui/status";
import type { Role } from "@/lib/permission/permission";
import type { StaffRow } from "@/lib/staff/inputs";

const LOOKS: Record<StaffRow["state"], { tone: Tone; progress: Progress }> = {
  active: { tone: "positive", progress: "settled" },
  proposed: { tone: "info", progress: "waiting" },
  invited: { tone: "info", progress: "waiting" },
  expired: { tone: "warning", progress: "waiting" },
  disabled: { tone: "neutral", progress: "settled" },
};

export function StateBadge({ state }: { state: StaffRow["state"] }) {
  const t = useTranslations("staff.state");
  return <Status {...LOOKS[state]}>{t(state)}</Status>;
}

export function RoleBadges({ roles }: { roles: readonly Role[] }) {
  const t = useTranslations("roles");
  return (
    <span className="flex flex-wrap gap-1 py-1.5">
      {roles.map((role) => (
        <Badge key={role} tone="neutral" isDotted={false}>
          {t(role)}
        </Badge>
      ))}
    </span>
  );
}

export function BreakGlass({ row }: { row: Pick<StaffRow, "isBreakGlass"> }) {
  const t = useTranslations("staff");
  return row.isBreakGlass ? <Badge tone="warning">{t("breakGlass")}</Badge> : null;
}

export function SecondFactor({ row }: { row: Pick<StaffRow, "hasSecondFactor" | "lacksSecondFactor"> }) {
  const t = useTranslations("staff");
  if (row.hasSecondFactor === null) return null;
  if (row.hasSecondFactor) {
    return (
      <span className="inline-flex items-center gap-1.5">
        <Icon of="shield-check" size={14} className="text-positive" />
        {t("factorOn")}
      </span>
    );
  }
  if (!row.lacksSecondFactor) return <span className="text-faint">{t("factorOff")}</span>;
  return (
    <span title={t("factorMissingBody")} className="inline-flex items-center gap-1.5 text-warning">
      <Icon of="shield-alert" size={14} />
      {t("factorMissing")}
    </span>
  );
}
