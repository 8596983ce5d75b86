"use client";

import { useTranslations } from "next-intl";
// next/error would bring the pages router's error page: 3 kB on each screen.
import { catchError } from "next/dist/client/components/catch-error";
import { useTransition } from "react";
import { EmptyView } from "./empty-view";
import { useFailureReason, useFailureWords } from "./failure-words";
import { ProviderSaid } from "./provider-said";
import { Button } from "@/components/ui/button";
import { failureIn, isOutage, readDigest, SILENT } from "@/lib/errors/result";

type FailedViewProps = {
  error: unknown;
  retry: () => void;
  isScreen?: boolean;
  isCompact?: boolean;
  said?: string | null;
};

export function FailedView({ error, retry, isScreen = false, isCompact = false, said = null }: FailedViewProps) {
  const t = useTranslations();
  const [isRetrying, startTransition] = useTransition();
  const { kind, refusal, reference } = readDigest(error);
  const failure = failureIn(error);
  const { title } = useFailureWords()(failure);
  const body = useFailureReason()(failure);
  const isSilent = refusal === SILENT && !isScreen;
  if (isSilent || (isCompact && kind !== "unauthenticated"))
    return (
      <p role="alert" className="flex min-h-12 flex-wrap items-center gap-3 px-5 py-2 text-muted">
        {isSilent ? body : title}
        <Button size="small" isBusy={isRetrying} onClick={() => startTransition(retry)}>
          {t("common.retry")}
        </Button>
      </p>
    );
  return (
    <div role="alert">
      <EmptyView isScreen={isScreen} icon="broken" title={title} body={body}>
        <ProviderSaid said={said} className="mb-4 block text-sm text-muted" />
        {kind === "unauthenticated" ? (
          // A whole page load clears the memory; the server then redirects to the sign-in.
          <Button tone="primary" onClick={() => window.location.reload()}>
            {t("states.signInAgain")}
          </Button>
        ) : (
          <Button tone="primary" isBusy={isRetrying} onClick={() => startTransition(retry)}>
            {t("common.retry")}
          </Button>
        )}
        {reference !== null && reference !== refusal && !isOutage(reference) ? (
          <p className="mt-4 text-sm text-muted">
            {t("states.reference")} <code className="font-mono text-ink">{reference}</code>
          </p>
        ) : null}
      </EmptyView>
    </div>
  );
}

/** The outermost boundary, for a failure of the frame itself. */
export const PageBoundary = catchError((_props: object, { error, retry }) => (
  <main className="grid min-h-dvh place-items-center bg-surface">
    <FailedView isScreen error={error} retry={retry} />
  </main>
));
