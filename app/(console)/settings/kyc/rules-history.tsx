"use client";

import { useTranslations } from "next-intl";
import { ChangedValue, VersionHistory } from "@/app/(console)/settings/version-history";
import type { RulesChange, RulesStep } from "@/lib/kyc/queries";

export function RulesHistory({ history }: { history: RulesStep[] }) {
  const t = useTranslations("caseRules");
  const steps = history.map(({ changes, ...step }) => ({
    ...step,
    changes: changes.map((change) => ({
      key: `${change.part} ${change.before} ${change.after}`,
      words: <Changed change={change} />,
    })),
  }));
  return <VersionHistory none={t("noHistory")} steps={steps} />;
}

type Scope = NonNullable<RulesChange["scope"]>["before"];

const scopeWords = (t: ReturnType<typeof useTranslations<"caseRules">>, { process, kycType }: Scope): string =>
  `${t(`scopes.${process ?? "anyProcess"}`)}, ${t(`scopes.${kycType ?? "anyone"}`)}`;

function Changed({ change: { part, before, after, scope } }: { change: RulesChange }) {
  const t = useTranslations("caseRules");
  const name = t(`parts.${part}`);
  const said = (value: string | null) =>
    part === "slaClock" && (value === "continuous" || value === "business") ? t(`slaClocks.${value}`) : value;
  if (before === null && after === null) return name;
  return (
    <>
      <ChangedValue name={name} before={said(before)} after={said(after)} />
      {scope === undefined ? null : (
        <>
          {" "}
          · <del className="text-muted">{scopeWords(t, scope.before)}</del> → {scopeWords(t, scope.after)}
        </>
      )}
    </>
  );
}
