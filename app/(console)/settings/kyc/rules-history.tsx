"use client";

import { useLocale, useTranslations } from "next-intl";
import { formatDateTime } from "@/lib/text/format";
import type { RulesChange, RulesStep } from "@/lib/kyc/queries";

export function RulesHistory({ history }: { history: RulesStep[] }) {
  const t = useTranslations("caseRules");
  const locale = useLocale();
  return (
    <section aria-labelledby="rules-history" className="mt-2 border-t border-line py-4">
      <h2 id="rules-history" className="font-medium">
        {t("history")}
      </h2>
      {history.length === 0 ? <p className="mt-1 text-muted">{t("noHistory")}</p> : null}
      <ol className="mt-2 divide-y divide-line">
        {history.map(({ version, byName, at, changes }) => (
          <li key={version} className="py-2.5">
            <p className="flex flex-wrap items-baseline gap-x-3 tabular-nums">
              <span className="font-medium">{t("versionBy", { version })}</span>
              <span className="text-sm text-muted">
                {t("byAt", { name: byName, time: formatDateTime(at, locale) })}
              </span>
            </p>
            <ul className="mt-1 space-y-0.5 text-sm">
              {changes.map((change) => (
                <li key={`${change.part} ${change.before} ${change.after}`}>
                  <Changed change={change} />
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ol>
    </section>
  );
}

type Scope = NonNullable<RulesChange["scope"]>["before"];

const scopeWords = (t: ReturnType<typeof useTranslations<"caseRules">>, { process, kycType }: Scope): string =>
  `${t(`scopes.${process ?? "anyProcess"}`)}, ${t(`scopes.${kycType ?? "anyone"}`)}`;

function Changed({ change: { part, before, after, scope } }: { change: RulesChange }) {
  const t = useTranslations("caseRules");
  const name = t(`parts.${part}`);
  if (before === null && after === null) return name;
  if (before === null || after === null) {
    return (
      <>
        <span className="text-muted">
          {name} · {after === null ? t("gone") : t("added")}:
        </span>{" "}
        {after ?? <del className="text-muted">{before}</del>}
      </>
    );
  }
  return (
    <>
      <span className="text-muted">{name}:</span>{" "}
      {before === after ? null : (
        <>
          <del className="text-muted">{before}</del> →{" "}
        </>
      )}
      {after}
      {scope === undefined ? null : (
        <>
          {" "}
          · <del className="text-muted">{scopeWords(t, scope.before)}</del> → {scopeWords(t, scope.after)}
        </>
      )}
    </>
  );
}
