import { useLocale, useTranslations } from "next-intl";
import { CopyButton } from "@/components/copy-button";
import { Fact, RowDetails } from "@/components/row-details";
import { type AuditRow, readDetail } from "@/lib/audit-view";
import { formatDateTime, formatMoment } from "@/lib/format";
import { hrefWith } from "@/lib/href";
import { AuditOutcome, ObjectLink, useActorName, useCodeName, useEventName } from "./audit-words";
import { ChangeShown } from "./change-shown";
import { FactName, FactValue } from "./fact-value";
import { SameIntent } from "./same-intent";

/** Everything that is on record of one deed, and the ways on from it. */
export function AuditDetails({ row }: { row: AuditRow }) {
  const t = useTranslations("audit");
  const locale = useLocale();
  const nameOf = useCodeName();
  const eventName = useEventName();
  const actorName = useActorName();
  const { changes, facts } = readDetail(row.detail);
  const ways = [
    { href: hrefWith("/audit", { actor: row.actor }), label: t("allByActor", { name: actorName(row) }) },
    { href: hrefWith("/audit", { code: row.code }), label: t("allOfCode", { name: nameOf(row.code) }) },
    ...(row.object === null ? [] : [{ href: hrefWith("/audit", { sought: row.object }), label: t("allAbout") }]),
  ];
  return (
    <RowDetails
      ways={ways}
      facts={
        <>
          <Fact name={t("columns.event")}>
            <span>
              {eventName(row)} <code className="font-mono text-sm text-faint">{row.code}</code>
            </span>
          </Fact>
          <Fact name={t("columns.outcome")}>
            <AuditOutcome outcome={row.outcome} />
          </Fact>
          <Fact name={t("columns.at")}>
            <time dateTime={row.at} title={row.at}>
              {formatDateTime(row.at, locale).split(" ").slice(0, -1).join(" ")} {formatMoment(row.at, locale).time}
            </time>
          </Fact>
          <Fact name={t("columns.actor")}>{actorName(row)}</Fact>
          {row.object === null ? null : (
            <Fact name={t("columns.object")}>
              <ObjectLink isWhole object={row.object} name={row.objectName} />
            </Fact>
          )}
          {row.intentId === null ? null : (
            <Fact name={t("intent")}>
              <code className="font-mono text-sm wrap-anywhere">{row.intentId}</code>
              <CopyButton text={row.intentId} label={t("copyIntent")} />
            </Fact>
          )}
          {facts.map(([name, value]) => (
            <Fact key={name} name={<FactName name={name} />}>
              <FactValue name={name} value={value} named={row.named} />
            </Fact>
          ))}
          <Fact name={t("hash")}>
            <code className="font-mono text-sm wrap-anywhere">{row.hash}</code>
            <CopyButton text={row.hash} label={t("copyHash")} />
          </Fact>
        </>
      }
    >
      {changes.map((change) => (
        <ChangeShown key={change.name} change={change} />
      ))}
      {row.intentId === null ? null : <SameIntent intentId={row.intentId} seq={row.seq} />}
    </RowDetails>
  );
}
