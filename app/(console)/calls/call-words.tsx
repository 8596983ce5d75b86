import { useLocale, useTranslations } from "next-intl";
import Link from "next/link";
import type { Tone } from "@/components/ui/badge";
import { Status } from "@/components/ui/status";
import { screenOf } from "@/lib/calls/view";
import type { CallRow } from "@/lib/calls/queries";
import { formatDuration } from "@/lib/text/format";
import { cn } from "@/components/ui/cn";
import { ProviderText } from "@/components/table/provider-text";
import { namingHidden } from "@/lib/text/safe-link";

const TONES: Record<CallRow["kind"], Tone> = {
  ok: "positive",
  held: "info",
  invalid: "neutral",
  "not-found": "neutral",
  conflict: "warning",
  "rate-limited": "warning",
  unauthenticated: "negative",
  forbidden: "negative",
  restricted: "negative",
  blocked: "negative",
  unavailable: "negative",
  malformed: "negative",
};

type CallOutcomeProps = { call: Pick<CallRow, "kind" | "status">; isBrief?: boolean };

export function CallOutcome({ call, isBrief = false }: CallOutcomeProps) {
  const t = useTranslations("calls");
  const isSilent = call.status === null && call.kind === "unavailable";
  return (
    <Status tone={TONES[call.kind]} progress={call.status === null ? "waiting" : "settled"}>
      <span className="truncate">{isSilent ? t("noAnswer") : t(`kinds.${call.kind}`)}</span>
      {call.status === null || isBrief ? null : <span className="text-sm text-faint">{call.status}</span>}
    </Status>
  );
}

const WATCHES = ["kyc", "onboarding", "wallets", "token", "transfers", "webhooks"] as const;

export function useActorName(): (call: Pick<CallRow, "actor" | "byName">) => string {
  const t = useTranslations("calls");
  return ({ actor, byName }) => {
    if (byName !== null) return byName;
    const watch = actor.replace(/^watch:/, "");
    const known = WATCHES.find((name) => name === watch);
    return t("byWatch", { name: known ? t(`watches.${known}`) : watch });
  };
}

const SHORT_ID = 6;

export function CallObjectLink({ object }: { object: string }) {
  const t = useTranslations("calls");
  const screen = screenOf(object);
  if (screen === null) return <ProviderText text={object} />;
  return (
    <Link
      href={screen.href}
      prefetch={false}
      title={namingHidden(screen.id)}
      className="relative z-1 text-accent hover:underline"
    >
      {t("objectNamed", { object: t(`objects.${screen.kind}`), id: namingHidden(screen.id.slice(0, SHORT_ID)) })}
    </Link>
  );
}

export function CallName({ call }: { call: Pick<CallRow, "method" | "path"> }) {
  return (
    <code className="font-mono text-sm">
      <span className={call.method === "GET" ? "text-faint" : "font-semibold text-accent"}>{call.method}</span>{" "}
      {call.path}
    </code>
  );
}

export function CallDuration({ ms, isSlow }: { ms: number; isSlow: boolean }) {
  const locale = useLocale();
  return <span className={cn(isSlow && "font-medium text-warning")}>{formatDuration(ms, locale)}</span>;
}
