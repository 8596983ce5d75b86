"use client";

import { useTranslations } from "next-intl";
import { useId } from "react";
import { ChoiceField } from "@/components/ui/choice-field";
import { Notice } from "@/components/ui/notice";
import { addsCriticalRole, can, type Role, ROLES } from "@/lib/permission/permission";

export type StaffScope = { tenant: string; rolesWithFactor: readonly Role[] };

type RoleChoiceProps = {
  staffScope: StaffScope;
  chosen: readonly Role[];
  held: readonly Role[];
  error: string | undefined;
  onChoose: (roles: Role[]) => void;
};

export function RoleChoice({ staffScope, chosen, held, error, onChoose }: RoleChoiceProps) {
  const t = useTranslations();
  const id = useId();
  const choices = ROLES.map((role) => ({
    role,
    name: t(`roles.${role}`),
    words: [t(`roleWords.${role}`), staffScope.rolesWithFactor.includes(role) ? t("staff.needsFactor") : ""].join(" "),
  }));
  const toggle = (role: Role) =>
    onChoose(ROLES.filter((one) => (one === role ? !chosen.includes(one) : chosen.includes(one))));
  return (
    <div>
      <ChoiceField legend={t("staff.rolesLegend", { tenant: staffScope.tenant })} error={error}>
        <div className="divide-y divide-line rounded border border-control">
          {choices.map(({ role, name, words }) => (
            <div key={role} className="relative grid grid-cols-[auto_1fr] gap-x-2.5 px-3 py-2 hover:bg-hover">
              <input
                id={`${id}-${role}`}
                type="checkbox"
                name="roles"
                value={role}
                checked={chosen.includes(role)}
                aria-invalid={error ? true : undefined}
                aria-describedby={`${id}-${role}-words`}
                onChange={() => toggle(role)}
                className="relative z-1 mt-1 size-3.5 accent-accent"
              />
              <label htmlFor={`${id}-${role}`} className="cursor-pointer font-medium after:absolute after:inset-0">
                {name}
              </label>
              <span id={`${id}-${role}-words`} className="col-start-2 text-sm text-muted">
                {words}
              </span>
            </div>
          ))}
        </div>
      </ChoiceField>
      {addsCriticalRole(held, chosen) ? (
        <Notice tone="info" live="polite" className="mt-2">
          {t("staff.secondAdmin")}
        </Notice>
      ) : null}
      {can(chosen, "approvals:authorize") && can(chosen, "transfers:create") ? (
        <Notice tone="info" className="mt-2">
          {t("staff.bothSides")}
        </Notice>
      ) : null}
    </div>
  );
}
