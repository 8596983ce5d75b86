"use client";

import { useTranslations } from "next-intl";
import { useTransition } from "react";
import { EmptyView } from "@/components/empty-view";
import { Button } from "@/components/ui/button";
import { readDigest, type ShownFailure } from "@/lib/digest";
import { isOutage } from "@/lib/outage";

const TITLED = ["unavailable", "rate-limited", "restricted", "forbidden", "unauthenticated"] as const;

function titleOf(kind: ShownFailure["kind"]): (typeof TITLED)[number] | "other" {
  return TITLED.find((titled) => titled === kind) ?? "other";
}

type AmissProps = { size?: number; strokeWidth?: number; className?: string };

// Drawn here: this view is beside every screen's code a second time, and an icon of the set would bring the set's code along.
function Amiss({ size, strokeWidth, className }: AmissProps) {
  return (
    <svg
      aria-hidden
      viewBox="0 0 24 24"
      width={size}
      height={size}
      fill="none"
      stroke="currentColor"
      strokeWidth={strokeWidth}
      strokeLinecap="round"
      className={className}
    >
      <circle cx="12" cy="12" r="9" />
      <path d="M12 7.5v5.5M12 16.5v0" />
    </svg>
  );
}

type FailedViewProps = { error: unknown; retry: () => void; isScreen?: boolean };

/** A screen that could not be read: one sentence, the reference to quote, and a way to try again. */
export function FailedView({ error, retry, isScreen = false }: FailedViewProps) {
  const t = useTranslations();
  const [isRetrying, startTransition] = useTransition();
  const { kind, reference } = readDigest(error);
  const outage = isOutage(reference) ? reference : null;
  return (
    <div role="alert">
      <EmptyView
        isScreen={isScreen}
        icon={Amiss}
        title={t(`errorTitles.${titleOf(outage !== null && kind !== "rate-limited" ? "unavailable" : kind)}`)}
        body={outage ? t(`outages.${outage}`) : t(`errors.${kind}`)}
      >
        {kind === "unauthenticated" ? (
          // A whole page load, as at a sign-out: nothing of it stays in memory. The server leads to the sign-in and back.
          <Button tone="primary" onClick={() => window.location.reload()}>
            {t("states.signInAgain")}
          </Button>
        ) : (
          <Button tone="primary" isBusy={isRetrying} onClick={() => startTransition(retry)}>
            {t("common.retry")}
          </Button>
        )}
        {reference !== null && outage === null ? (
          <p className="mt-4 text-sm text-muted">
            {t("states.reference")} <code className="font-mono text-ink">{reference}</code>
          </p>
        ) : null}
      </EmptyView>
    </div>
  );
}
