import { useLocale, useTranslations } from "next-intl";
import { type ReactNode, useEffect, useRef } from "react";
import { KycStatusBadge } from "@/components/status-badge";
import { Notice } from "@/components/ui/notice";
import { formatDateTime } from "@/lib/format";
import type { DecisionTerms } from "@/lib/kyc/queries";
import { KycStepName } from "./case-words";

type Compared = { before: DecisionTerms; after: DecisionTerms };
type Change = { name: string; before: ReactNode; after: ReactNode };

function useChanges({ before, after }: Compared): Change[] {
  const t = useTranslations("kyc");
  const [was, is] = [before.row, after.row];
  const changes: (Change | null)[] = [
    was.status === is.status
      ? null
      : {
          name: t("columns.status"),
          before: <KycStatusBadge status={was.status} />,
          after: <KycStatusBadge status={is.status} />,
        },
    was.process === is.process
      ? null
      : {
          name: t("columns.process"),
          before: <KycStepName process={was.process} />,
          after: <KycStepName process={is.process} />,
        },
    // That it became theirs is the person's own doing.
    after.isMine || was.assignee?.id === is.assignee?.id
      ? null
      : { name: t("with"), before: was.assignee?.name ?? t("nobody"), after: is.assignee?.name ?? t("nobody") },
    before.rulesVersion === after.rulesVersion
      ? null
      : {
          name: t("rules"),
          before: t("version", { version: before.rulesVersion }),
          after: t("version", { version: after.rulesVersion }),
        },
  ];
  return changes.filter((change) => change !== null);
}

/** What the case became since the person opened it, and which colleague made it so; nothing while it is what they saw. */
export function WhatChanged({ isRefused, ...compared }: Compared & { isRefused: boolean }) {
  const t = useTranslations("kyc");
  const place = useRef<HTMLDivElement>(null);
  const changes = useChanges(compared);
  const isWhy = isRefused && changes.length > 0;
  // Whoever was refused looks for the reason, after the form has shown the refusal; whoever writes is not taken away.
  useEffect(() => {
    if (!isWhy) return undefined;
    const frame = requestAnimationFrame(() => place.current?.scrollIntoView({ block: "center" }));
    return () => cancelAnimationFrame(frame);
  }, [isWhy]);
  return (
    <div ref={place} aria-live="polite">
      {changes.length === 0 ? null : (
        <Notice tone="warning">
          <p className="font-medium">{t("changedTitle")}</p>
          <DecidedMeanwhile {...compared} />
          <ChangeTable changes={changes} />
          <p className="mt-1.5">{t("changedBody")}</p>
        </Notice>
      )}
    </div>
  );
}

function DecidedMeanwhile({ before, after }: Compared) {
  const t = useTranslations("kyc");
  const locale = useLocale();
  const { lastDecision: last } = after;
  if (last === null || last.at === before.lastDecision?.at) return null;
  const time = formatDateTime(last.at, locale);
  return <p>{t("decidedMeanwhile", { decision: last.decision, name: last.byName, time })}</p>;
}

function ChangeTable({ changes }: { changes: Change[] }) {
  const t = useTranslations("kyc");
  return (
    <table className="mt-1.5 w-full table-fixed text-start">
      <thead className="sr-only">
        <tr>
          <th scope="col">{t("changedWhat")}</th>
          <th scope="col">{t("changedBefore")}</th>
          <th scope="col">{t("changedAfter")}</th>
        </tr>
      </thead>
      <tbody>
        {changes.map(({ name, before, after }) => (
          <tr key={name} className="align-baseline">
            <th scope="row" className="w-24 py-0.5 text-start font-normal text-muted">
              {name}
            </th>
            <td className="py-0.5 pr-3 text-muted">{before}</td>
            <td className="py-0.5 font-medium">{after}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
