import { useTranslations } from "next-intl";
import Link from "next/link";
import { ShownValue } from "@/app/(console)/approvals/approval-words";
import type { ApprovalRecord } from "@/lib/approvals/queries";

type Shown = NonNullable<ApprovalRecord["shown"]>;

/** What stands now beside what would stand, as its maker saw both. */
export function Change({ shown }: { shown: Shown }) {
  const t = useTranslations("approvals");
  const hasBefore = shown.facts.some(({ before }) => before !== null);
  return (
    <>
      <table className="w-full table-fixed border-y border-line text-start">
        <thead className={hasBefore ? "border-b border-line text-sm text-muted" : "sr-only"}>
          <tr>
            <th scope="col" className="w-[10.75rem] px-5 py-1.5 max-sm:w-[7.5rem]">
              <span className="sr-only">{t("change")}</span>
            </th>
            {hasBefore ? (
              <th scope="col" className="w-[35%] px-3 py-1.5 text-start font-medium">
                {t("before")}
              </th>
            ) : null}
            <th scope="col" className="py-1.5 pr-5 pl-3 text-start font-medium">
              {t("after")}
            </th>
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {shown.facts.map(({ name, before, after }) => (
            <tr key={name} className="align-baseline">
              <th scope="row" className="px-5 py-2 text-start font-normal text-muted">
                {t(`facts.${name}`)}
              </th>
              {before === null ? null : (
                <td className="px-3 py-2 wrap-anywhere text-muted">
                  <ShownValue value={before} />
                </td>
              )}
              <td
                // What takes no other's place, as the reason, has the room of both.
                colSpan={hasBefore && before === null ? 2 : 1}
                className="py-2 pr-5 pl-3 font-medium wrap-anywhere tabular-nums"
              >
                {name === "repeat" ? t("isRepeat") : <ShownValue value={after} />}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {shown.href === null ? null : (
        <p className="px-5 pt-2">
          <Link href={shown.href} prefetch={false} className="font-medium text-accent hover:underline">
            {t("openRecord")}
          </Link>
        </p>
      )}
    </>
  );
}
