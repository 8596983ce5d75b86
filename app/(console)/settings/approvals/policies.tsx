"use client";

import type { Policy } from "@/lib/permission/writes";
import { useRouter } from "next/navigation";
import { useLocale, useTranslations } from "next-intl";
import { useState } from "react";
import { useLimitWords } from "@/app/(console)/approvals/limit-words";
import { WaitingChange } from "@/app/(console)/settings/waiting-change";
import { Confirmation } from "@/components/layout/confirmation";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { deferred } from "@/components/layout/deferred";
import { formatBrl, formatDateTime } from "@/lib/text/format";
import type { PolicyView } from "./policy-dialog";
import { PolicyNumbers } from "./policy-numbers";

const loadDialog = () => import("./policy-dialog");
const preload = () => void loadDialog();
const PolicyDialog = deferred(() => loadDialog().then((loaded) => loaded.PolicyDialog));

export function usePolicyWords(): (policy: Policy) => string {
  const t = useTranslations("approvalPolicy");
  const locale = useLocale();
  const limitWords = useLimitWords();
  return ({ rule, amount, expiresAfterHours, ...limits }) => {
    const asked =
      rule === "above" && amount !== null ? t("from", { amount: formatBrl(amount, locale) }) : t(`rules.${rule}`);
    return [asked, ...limitWords(limits), t("hours", { hours: expiresAfterHours })].join(" · ");
  };
}

export function Policies({ policies }: { policies: PolicyView[] }) {
  const t = useTranslations("approvalPolicy");
  const kinds = useTranslations("writes");
  const router = useRouter();
  const [changing, setChanging] = useState<PolicyView | null>(null);
  const [done, setDone] = useState<string | null>(null);
  return (
    <div className="max-w-3xl px-5 py-4">
      <p className="max-w-prose text-muted">{t("explain")}</p>
      <p className="mt-1 max-w-prose text-muted">{t("loosenNote")}</p>
      <ul className="mt-4 divide-y divide-line border-y border-line">
        {policies.map((view) => (
          <li key={view.kind} className="py-3.5">
            <div className="flex flex-wrap items-center gap-x-4 gap-y-1.5">
              <div className="min-w-0 flex-1">
                <h2 className="font-medium">
                  {kinds(view.kind)}
                  {view.policy.version === 0 ? (
                    <span className="font-normal text-muted">{` · ${t("standard")}`}</span>
                  ) : null}
                </h2>
              </div>
              <Button
                aria-label={t("changeOf", { kind: kinds(view.kind) })}
                onClick={() => setChanging(view)}
                onFocus={preload}
                onPointerEnter={preload}
              >
                {t("change")}
              </Button>
            </div>
            <div className="mt-1 max-w-md">
              <PolicyNumbers policy={view.policy} />
            </div>
            <WaitingChange proposed={view.proposed} />
            <PolicyHistory view={view} />
          </li>
        ))}
      </ul>
      {changing === null ? null : (
        <PolicyDialog
          view={changing}
          onClose={() => setChanging(null)}
          onDone={(isProposed) => {
            setChanging(null);
            setDone(t(isProposed ? "proposed" : "done"));
            router.refresh();
          }}
        />
      )}
      <Confirmation onDismiss={() => setDone(null)}>{done}</Confirmation>
    </div>
  );
}

function PolicyHistory({ view }: { view: PolicyView }) {
  const t = useTranslations("approvalPolicy");
  const locale = useLocale();
  const words = usePolicyWords();
  if (view.history.length === 0) return null;
  return (
    <details className="mt-2">
      <summary className="cursor-pointer text-sm text-muted hover:text-ink">
        {t("history")} ({view.history.length})
      </summary>
      <ol className="mt-1.5 space-y-1.5">
        {view.history.map((step) => (
          <li key={step.after.version} className="flex flex-wrap items-baseline gap-x-3 text-sm tabular-nums">
            <span>{t("fromTo", { before: words(step.before), after: words(step.after) })}</span>
            <span className="text-muted">
              {t("byAt", { name: step.byName, time: formatDateTime(step.at, locale) })}
            </span>
            {step.loosens ? <Badge tone="warning">{t("loosened")}</Badge> : null}
          </li>
        ))}
      </ol>
    </details>
  );
}
