import type { ApprovalKindName } from "@/lib/permission/writes";
import { useTranslations } from "next-intl";
import { ShownValue } from "@/app/(console)/approvals/shown-value";
import { useFirstUse, useRuleChange } from "@/app/(console)/approvals/spoken-value";
import type { ApprovalRecord } from "@/lib/approvals/queries";

type Facts = NonNullable<ApprovalRecord["shown"]>["facts"];

const lineByLine = (lines: string[]) => <span className="whitespace-pre-line">{lines.join("\n")}</span>;

type FactTableProps = { kind: ApprovalKindName; facts: Facts; label: string; hasBefore: boolean };

export function FactTable({ kind, facts, label, hasBefore }: FactTableProps) {
  const t = useTranslations("approvals");
  const changeOf = useRuleChange();
  const firstUse = useFirstUse()(kind, facts);
  const rows = facts.map((fact) => ({ ...fact, change: changeOf(fact) }));
  const isOfCoins = kind === "crypto.transfer";
  return (
    <table aria-label={label} className="w-full table-fixed border-y border-line text-start">
      <colgroup>
        <col className={hasBefore ? "w-[10.75rem] max-medium:w-[7.5rem]" : "w-[10.75rem]"} />
        {hasBefore ? <col className="w-[35%]" /> : null}
        <col />
      </colgroup>
      <thead className={hasBefore ? "border-b border-line text-sm text-muted" : "sr-only"}>
        <tr>
          <th scope="col" className="px-5 py-1.5">
            <span className="sr-only">{label}</span>
          </th>
          {hasBefore ? (
            <th scope="col" className="px-3 py-1.5 text-start font-medium">
              {t("before")}
            </th>
          ) : null}
          <th scope="col" className="py-1.5 pr-5 pl-3 text-start font-medium">
            {t("after")}
          </th>
        </tr>
      </thead>
      <tbody className="divide-y divide-line">
        {rows.map(({ name, before, after, change }) => (
          <tr key={name} className="align-baseline">
            <th scope="row" className="py-2 pr-1 pl-5 text-start font-normal wrap-anywhere text-muted">
              {isOfCoins && (name === "from" || name === "to" || name === "repeat")
                ? t(`coinFacts.${name}`)
                : t(`facts.${name}`)}
            </th>
            {before === null ? null : (
              <td className="px-3 py-2 wrap-anywhere text-muted">
                {change === null ? <ShownValue value={before} /> : lineByLine(change.before)}
              </td>
            )}
            <td className="py-2 pr-5 pl-3 font-medium wrap-anywhere tabular-nums">
              {change !== null ? (
                lineByLine(change.after)
              ) : name === "repeat" && after.as !== "sends" ? (
                t("isRepeat")
              ) : name === "firstUse" ? (
                firstUse
              ) : (
                <ShownValue value={after} />
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
