import { ArrowRight } from "lucide-react";
import { useLocale, useTranslations } from "next-intl";
import { CopyButton } from "@/components/copy-button";
import { Fact, RowDetails } from "@/components/row-details";
import { type AuditRow, type Change, knownFact, readDetail, recordOf } from "@/lib/audit-view";
import { formatDateTime, formatMoment } from "@/lib/format";
import { hrefWith } from "@/lib/href";
import { AuditOutcome, ObjectLink, useActorName, useCodeName } from "./audit-words";
import { SameIntent } from "./same-intent";

/** Everything that is on record of one deed, and the ways on from it. */
export function AuditDetails({ row }: { row: AuditRow }) {
  const t = useTranslations("audit");
  const locale = useLocale();
  const nameOf = useCodeName();
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
              {nameOf(row.code)} <code className="font-mono text-sm text-faint">{row.code}</code>
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
              <FactValue value={value} named={row.named} />
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

function ChangeShown({ change }: { change: Change }) {
  const t = useTranslations("audit");
  return (
    <p className="mt-3 flex flex-wrap items-center gap-2 text-sm">
      {change.name === null ? null : (
        <span className="text-muted">
          <FactName name={change.name} />
        </span>
      )}
      <del className="rounded bg-negative-tint px-1.5 py-0.5 no-underline">
        <span className="sr-only">{t("before")} </span>
        {change.before ?? t("nothing")}
      </del>
      <ArrowRight aria-hidden size={13} className="text-faint" />
      <ins className="rounded bg-positive-tint px-1.5 py-0.5 no-underline">
        <span className="sr-only">{t("after")} </span>
        {change.after ?? t("nothing")}
      </ins>
    </p>
  );
}

/** What a detail is called; one of another version keeps its name. */
function FactName({ name }: { name: string }) {
  const t = useTranslations("audit.facts");
  const known = knownFact(name);
  return known === null ? <code className="font-mono">{name}</code> : t(known);
}

function FactValue({ value, named }: { value: string } & Pick<AuditRow, "named">) {
  const t = useTranslations("audit");
  if (value === "true" || value === "false") return t(value === "true" ? "yes" : "no");
  if (recordOf(value).kind !== null) return <ObjectLink isWhole object={value} name={null} />;
  return <span className="wrap-anywhere">{named[value] ?? value}</span>;
}
