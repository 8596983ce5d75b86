import { useTranslations } from "next-intl";
import type { Tone } from "@/components/ui/badge";
import type { Look } from "@/components/ui/status";
import { outcomeOf, SLOW_MS } from "@/lib/calls/view";
import type { CallRow } from "@/lib/calls/queries";

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

type Ended = Pick<CallRow, "kind" | "status">;

export const lookOf = ({ kind, status }: Ended): Look => ({
  tone: TONES[kind],
  progress: status === null ? "waiting" : "settled",
});

export function Outcome({ call }: { call: Ended }) {
  const t = useTranslations("calls");
  return t(`kinds.${outcomeOf(call)}`);
}

export function StatusCode({ call: { status } }: { call: Ended }) {
  return status === null ? null : <span className="ml-2 text-sm text-faint">{status}</span>;
}

export const slowClass = ({ durationMs }: Pick<CallRow, "durationMs">): string | undefined =>
  durationMs >= SLOW_MS ? "font-medium text-warning" : undefined;

type Called = Pick<CallRow, "method" | "path">;

export function MethodAndPath({ call: { method, path } }: { call: Called }) {
  return (
    <>
      <span className={method === "GET" ? "text-faint" : "font-semibold text-accent"}>{method}</span>
      {` ${path}`}
    </>
  );
}

export function CallName({ call }: { call: Called }) {
  return (
    <code className="font-mono text-sm">
      <MethodAndPath call={call} />
    </code>
  );
}
