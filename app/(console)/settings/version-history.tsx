import { useLocale, useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { formatDateTime } from "@/lib/text/format";

type Step = { version: number; byName: string; at: string; changes: readonly { key: string; words: ReactNode }[] };

type VersionHistoryProps = {
  /** Said while nothing was ever changed. */
  none: string;
  /** Newest first. */
  steps: readonly Step[];
};

export function VersionHistory({ none, steps }: VersionHistoryProps) {
  const t = useTranslations("settings");
  const locale = useLocale();
  return (
    <section aria-labelledby="version-history" className="mt-2 border-t border-line py-4">
      <h2 id="version-history" className="font-medium">
        {t("history")}
      </h2>
      {steps.length === 0 ? <p className="mt-1 text-muted">{none}</p> : null}
      <ol className="mt-2 divide-y divide-line">
        {steps.map(({ version, byName, at, changes }) => (
          <li key={version} className="py-2.5">
            <p className="flex flex-wrap items-baseline gap-x-3 tabular-nums">
              <span className="font-medium">{t("versionBy", { version })}</span>
              <span className="text-sm text-muted">
                {t("byAt", { name: byName, time: formatDateTime(at, locale) })}
              </span>
            </p>
            <ul className="mt-1 space-y-0.5 text-sm">
              {changes.map(({ key, words }) => (
                <li key={key}>{words}</li>
              ))}
            </ul>
          </li>
        ))}
      </ol>
    </section>
  );
}

type ChangedValueProps = { name: string; before: string | null; after: string | null };

/** Old against new; null for what was not there, or is gone. */
export function ChangedValue({ name, before, after }: ChangedValueProps) {
  const t = useTranslations("settings");
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
    </>
  );
}
