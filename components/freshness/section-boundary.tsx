"use client";

import { catchError } from "next/dist/client/components/catch-error";
import { useRouter } from "next/navigation";
import { createContext, type ReactNode, startTransition, use, useEffect, useState, useTransition } from "react";
import { useTranslations } from "next-intl";
import { Button } from "@/components/ui/button";
import type { UnreadBy } from "@/lib/errors/attempt";
import { failureIn } from "@/lib/errors/result";
import { deferred } from "@/components/layout/deferred";
import { ProviderSaid } from "@/components/layout/provider-said";
import { FailedView } from "@/components/layout/failed-view";

const StaleNotice = deferred(() => import("./stale-notice").then((loaded) => loaded.StaleNotice));

const Unkept = catchError((_props: object, { error, retry }) => <FailedView error={error} retry={retry} />);

type Read = { shown: ReactNode; asOf: string; before: Read | null };

type Attempt = { children: ReactNode; kept: Read | null; forget: (shown: ReactNode) => void; isCompact: boolean };

const Section = createContext<Attempt>({ children: null, kept: null, forget: () => undefined, isCompact: false });

const Kept = catchError<{ attempt: Attempt }>(({ attempt }, { error, retry, reset }) => (
  <Thrown attempt={attempt} error={error} retry={retry} reset={reset} />
));

/** Data that may no longer be read is removed from the screen. */
const TAKEN_AWAY: readonly string[] = ["unauthenticated", "forbidden"];

type UnreadProps = { attempt: Attempt; error: unknown; retry: () => void; said?: string | null };

function Unread({ attempt: { children, kept, forget, isCompact }, error, retry, said = null }: UnreadProps) {
  const t = useTranslations("common");
  const [isRetrying, startRetry] = useTransition();
  const failure = failureIn(error);
  // A loading section counts as read until it fails.
  const isKept = kept !== null && kept.shown === children;
  const last = isKept ? kept.before : kept;

  useEffect(() => {
    if (isKept) forget(children);
  }, [isKept, children, forget]);

  if (last === null || TAKEN_AWAY.includes(failure.kind))
    return <FailedView error={error} retry={retry} isCompact={isCompact} said={said} />;
  return (
    <>
      <StaleNotice fresh={{ asOf: last.asOf, failure }} trouble="failed" isOnDemand>
        <ProviderSaid said={said} />
        <Button size="small" isBusy={isRetrying} onClick={() => startRetry(retry)} className="ml-2">
          {t("retry")}
        </Button>
      </StaleNotice>
      <Unkept>{last.shown}</Unkept>
    </>
  );
}

function Thrown({ reset, ...unread }: UnreadProps & { reset: () => void }) {
  const { children } = unread.attempt;
  const [failed, setFailed] = useState(children);
  useEffect(() => {
    if (failed === children) return;
    startTransition(() => {
      setFailed(children);
      reset();
    });
  }, [failed, children, reset]);
  return <Unread {...unread} />;
}

/** Returned for a failed read, as an error thrown on the server would also be one in the browser. */
export function UnreadSection({ digest, said }: UnreadBy) {
  const attempt = use(Section);
  const router = useRouter();
  return (
    <Unread
      attempt={attempt}
      error={Object.assign(new Error("unread"), { digest })}
      said={said}
      retry={() => {
        router.refresh();
      }}
    />
  );
}

function AsRead({ children, onRead }: { children: ReactNode; onRead: (shown: ReactNode) => void }) {
  useEffect(() => onRead(children), [children, onRead]);
  return children;
}

type SectionBoundaryProps = {
  children: ReactNode;
  /** Another part of the page explains the failure. */ isCompact?: boolean;
};

/** A section that fails alone and keeps its last content, with its age, when a refresh fails. */
export function SectionBoundary({ children, isCompact = false }: SectionBoundaryProps) {
  const [kept, setKept] = useState<Read | null>(null);
  const [{ keep, forget }] = useState(() => ({
    keep: (shown: ReactNode) =>
      setKept((last) => ({
        shown,
        asOf: new Date().toISOString(),
        before: last === null ? null : last.shown === shown ? last.before : { ...last, before: null },
      })),
    forget: (shown: ReactNode) => setKept((last) => (last !== null && last.shown === shown ? last.before : last)),
  }));
  const attempt = { children, kept, forget, isCompact };
  return (
    <Section value={attempt}>
      <Kept attempt={attempt}>
        <AsRead onRead={keep}>{children}</AsRead>
      </Kept>
    </Section>
  );
}
