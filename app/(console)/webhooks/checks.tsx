import { useTranslations } from "next-intl";
import { type Look, Status } from "@/components/ui/status";
import type { EventState, Refusal, SignatureForm } from "@/lib/db/enums/webhooks";
import { type Check, type CheckResult, checksOf } from "@/lib/webhooks/view";

const LOOKS: Readonly<Record<CheckResult, Look>> = {
  passed: { tone: "positive", progress: "settled" },
  failed: { tone: "negative", progress: "settled" },
  "not-reached": { tone: "neutral", progress: "waiting" },
};

type Came =
  | { why: Refusal; form: SignatureForm | null }
  /** Accepted. */
  | { state: EventState; isByPreviousSecret: boolean };

/** Each check of a delivery in order: which passed, which failed and why, and which it never got to. */
export function Checks({ came }: { came: Came }) {
  const t = useTranslations("delivery");
  const note = useNote(came);
  return (
    <ol className="mt-1.5 space-y-1.5">
      {checksOf(came).map(({ check, result }) => {
        const more = note(check, result);
        return (
          <li key={check} className="grid gap-x-4 text-sm medium:grid-cols-[6.5rem_1fr]">
            <Status {...LOOKS[result]}>{t(`result.${result}`)}</Status>
            <span className="wrap-anywhere">
              {t(`check.${check}`)}
              {more === null ? null : <span className="block text-muted">{more}</span>}
            </span>
          </li>
        );
      })}
    </ol>
  );
}

function useNote(came: Came): (check: Check, result: CheckResult) => string | null {
  const t = useTranslations("delivery");
  return (check, result) => {
    if (result === "not-reached") return null;
    if (check === "form" && "why" in came && came.form !== null && result === "failed") return t(`form.${came.form}`);
    if (check !== "secret") return null;
    if (result === "failed") return t("bySecret.none");
    if ("why" in came) return null;
    return t(came.isByPreviousSecret ? "bySecret.previous" : "bySecret.current");
  };
}
