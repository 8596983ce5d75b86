import { useTranslations } from "next-intl";
import { type AuditRow, knownCode, recordOf } from "@/lib/audit-trail/view";
import Link from "next/link";
import { type Look, Status } from "@/components/ui/status";
import type { RevealReason } from "@/lib/db/enums/privacy";
import { namingHidden } from "@/lib/text/safe-link";

export type Known = {
  names: Readonly<Record<string, string>>;
  reasons: Readonly<Record<string, { choice: RevealReason; note: string }>>;
};

export const OUTCOME_LOOKS: Record<AuditRow["outcome"], Look> = {
  DONE: { tone: "positive", progress: "settled" },
  REFUSED: { tone: "negative", progress: "settled" },
  INTENT: { tone: "neutral", progress: "waiting" },
  HELD: { tone: "info", progress: "moving" },
  UNKNOWN: { tone: "warning", progress: "moving" },
};

type Ended = Pick<AuditRow, "outcome" | "detail">;

export function OutcomeWord({ outcome, detail }: Ended) {
  const t = useTranslations("audit.outcomes");
  return t(outcome === "REFUSED" && detail["code"] === "TRANSACTION_BLOCKED" ? "BLOCKED" : outcome);
}

export function AuditOutcome(row: Ended) {
  return (
    <Status {...OUTCOME_LOOKS[row.outcome]}>
      <span className="truncate">
        <OutcomeWord {...row} />
      </span>
    </Status>
  );
}

/** A refused screen was an attempted read, not a write. */
export function useEventName(): (row: Pick<AuditRow, "code" | "outcome" | "detail">) => string {
  const t = useTranslations("audit");
  const nameOf = useCodeName();
  return ({ code, outcome, detail }) => {
    if (outcome === "REFUSED" && detail["how"] === "read") return t("refusedVisit");
    if (code === "wallets.create" && detail["kind"] === "wallet.create") return t("walletCreated");
    if (code === "wallets.create" && detail["kind"] === "wallet.address") return t("addressCreated");
    return nameOf(code);
  };
}

export function useCodeName(): (code: string) => string {
  const t = useTranslations("audit");
  return (code) => {
    const known = knownCode(code);
    return known === null ? code : t(`codes.${known}`);
  };
}

/** Ids up to this length, such as `transfer.external`, are readable. */
const READABLE_ID = 24;

type ObjectLinkProps = { object: string; name: string | null | undefined; isWhole?: boolean };

export function ObjectLink({ object, name, isWhole = false }: ObjectLinkProps) {
  const t = useTranslations("audit.objects");
  const { kind, id, href } = recordOf(object);
  const own = kind === "pix-key" ? id.slice(id.indexOf(":") + 1) : id;
  const shown = isWhole || own.length <= READABLE_ID ? own : "";
  const words = `${kind === null ? "" : t(kind)} ${namingHidden(name ?? shown)}`.trim();
  // A wallet request has no page before its address exists.
  if (href === null || (kind === "wallet-request" && name == null))
    return <span title={namingHidden(id)}>{words}</span>;
  return (
    <Link href={href} prefetch={false} title={namingHidden(id)} className="relative z-1 text-accent hover:underline">
      {words}
    </Link>
  );
}
