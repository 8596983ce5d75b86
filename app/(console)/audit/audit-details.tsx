import { useLocale, useTranslations } from "next-intl";
import { CopyButton } from "@/components/table/copy-button";
import { ProviderText, SealedText } from "@/components/layout/provider-text";
import { useActorName } from "@/components/table/actor-name";
import { AskedFor, Fact, RowDetails } from "@/components/table/row-details";
import { cn } from "@/components/ui/cn";
import { Icon } from "@/components/ui/icons";
import {
  type AuditRow,
  type Change,
  compareLists,
  knownFact,
  type Part,
  PERSON_FACTS,
  readDetail,
  recordOf,
  valueWord,
} from "@/lib/audit-trail/view";
import { isRole } from "@/lib/permission/permission";
import { isWriteName } from "@/lib/permission/writes";
import { formatDateTime, formatMoment } from "@/lib/text/format";
import { hrefWith } from "@/lib/text/page";
import { providerText, providerWord } from "@/lib/text/provider-word";
import { useFieldName } from "./field-name";
import { AuditOutcome, type Known, ObjectLink, useCodeName, useEventName } from "./audit-words";

type SameIntentProps = { intentId: string; seq: number };

function SameIntent({ intentId, seq }: SameIntentProps) {
  const t = useTranslations();
  const locale = useLocale();
  const eventName = useEventName();
  const actorName = useActorName();
  return (
    <section aria-label={t("audit.sameIntent")} className="mt-3.5 border-t border-line pt-3">
      <h2 className="text-sm text-muted">{t("audit.sameIntent")}</h2>
      <AskedFor<AuditRow[]> address={hrefWith("/api/audit/intent", { id: intentId })} failed={t("audit.failed")}>
        {(rows) => (
          <ol className="mt-1 grid gap-0.5">
            {rows.map((row) => (
              <li
                key={row.seq}
                aria-current={row.seq === seq || undefined}
                className={cn("flex flex-wrap items-center gap-x-4 text-sm", row.seq === seq && "font-medium")}
              >
                <time dateTime={row.at} className="tabular-nums">
                  {formatMoment(row.at, locale).time}
                </time>
                <span>{eventName(row)}</span>
                <AuditOutcome {...row} />
                <span className="text-muted">{actorName(row)}</span>
              </li>
            ))}
          </ol>
        )}
      </AskedFor>
    </section>
  );
}

const REASON_FACTS = ["reason", "note", "under"];

export function AuditDetails({ row, known }: { row: AuditRow; known: Known }) {
  const t = useTranslations("audit");
  const reasons = useTranslations("privacy.reasons");
  const locale = useLocale();
  const nameOf = useCodeName();
  const eventName = useEventName();
  const actorName = useActorName();
  const detail = readDetail(row.detail);
  const reason = row.intentId === null ? undefined : known.reasons[row.intentId];
  const { changes } = detail;
  const path = detail.facts.find(([name]) => name === "path");
  const isField = detail.facts.some(([name]) => name === "field");
  const facts = detail.facts
    .filter(([name]) => reason === undefined || !REASON_FACTS.includes(name))
    .filter(([name]) => !isField || name !== "path");
  const ways = [
    { href: hrefWith("/audit", { actor: row.actor }), label: t("allByActor", { name: actorName(row) }) },
    { href: hrefWith("/audit", { code: row.code }), label: t("allOfCode", { name: nameOf(row.code) }) },
    ...(row.object === null ? [] : [{ href: hrefWith("/audit", { search: row.object }), label: t("allAbout") }]),
  ];
  return (
    <RowDetails
      ways={ways}
      facts={
        <>
          <Fact name={t("columns.row")}>{row.seq}</Fact>
          <Fact name={t("columns.event")}>
            <span>
              {eventName(row)} <code className="font-mono text-sm text-faint">{row.code}</code>
            </span>
          </Fact>
          <Fact name={t("columns.outcome")}>
            <AuditOutcome {...row} />
          </Fact>
          <Fact name={t("columns.at")}>
            <time dateTime={row.at} title={row.at}>
              {formatDateTime(row.at, locale).split(" ").slice(0, -1).join(" ")} {formatMoment(row.at, locale).time}
            </time>
          </Fact>
          <Fact name={t("columns.actor")}>{actorName(row)}</Fact>
          {row.object === null ? null : (
            <Fact name={t("columns.object")}>
              <ObjectLink isWhole object={row.object} name={row.objectName ?? known.names[row.object]} />
            </Fact>
          )}
          {row.intentId === null ? null : (
            <Fact name={t("intent")}>
              <code className="font-mono text-sm wrap-anywhere">{row.intentId}</code>
              <CopyButton text={row.intentId} label={t("copyIntent")} />
            </Fact>
          )}
          {reason === undefined ? null : (
            <Fact name={t("facts.reason")}>
              <span className="wrap-anywhere">
                {reasons(reason.choice)}: <SealedText text={reason.note} />
              </span>
            </Fact>
          )}
          {facts.map(([name, value]) => (
            <Fact key={name} name={<FactName name={name} />}>
              {name === "field" && path !== undefined ? (
                <FactValue name="path" value={path[1]} named={row.named} />
              ) : (
                <FactValue name={name} value={value} named={{ ...known.names, ...row.named }} />
              )}
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

function FactName({ name }: { name: string }) {
  const t = useTranslations("audit.facts");
  const known = knownFact(name);
  return known === null ? <code className="font-mono">{name}</code> : t(known);
}

const INSTANT = /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/;

function useWordOf(): (name: string | null, value: string) => string | null {
  const t = useTranslations();
  const locale = useLocale();
  return (name, value) => {
    if (value === "true" || value === "false") return t(value === "true" ? "audit.yes" : "audit.no");
    if (INSTANT.test(value)) return formatDateTime(value, locale);
    if (isRole(value)) return t(`roles.${value}`);
    if (name === "kind" && isWriteName(value)) return t(`writes.${value}`);
    const word = valueWord(name, value);
    return word === null ? null : t(`audit.values.${word}`);
  };
}

const isCode = (value: string) => value !== "true" && value !== "false" && !INSTANT.test(value);

export function FactValue({ name, value, named }: { name: string; value: string } & Pick<AuditRow, "named">) {
  const list = new Intl.ListFormat(useLocale());
  const wordOf = useWordOf();
  const actorName = useActorName();
  const field = useFieldName();
  const person =
    named[value] ?? (PERSON_FACTS.some((fact) => fact === name) ? actorName({ actor: value, byName: null }) : null);
  if (recordOf(value).kind !== null) return <ObjectLink isWhole object={value} name={named[value]} />;
  if (person !== null) return <span className="wrap-anywhere">{person}</span>;
  if (name === "path") return <span className="wrap-anywhere">{field(value)}</span>;
  const words = value.split(",").map((part) => wordOf(name, part));
  const known = words.filter((word) => word !== null);
  if (known.length < words.length)
    return (
      <span className="wrap-anywhere">
        <ProviderText text={providerWord(value)} />
      </span>
    );
  return (
    <span className="wrap-anywhere">
      {list.format(known)} {isCode(value) ? <code className="font-mono text-sm text-faint">{value}</code> : null}
    </span>
  );
}

const GONE = "min-w-0 rounded wrap-anywhere bg-negative-tint px-1.5 py-0.5 no-underline";
const NEW = "min-w-0 rounded wrap-anywhere bg-positive-tint px-1.5 py-0.5 no-underline";

const isRoles = (value: string | null) => (value ?? "").split(",").every((part) => part === "" || isRole(part));

export function ChangeShown({ change }: { change: Change }) {
  const { name, before, after } = change;
  return (
    <div className="mt-3 flex flex-wrap items-center gap-2 text-sm">
      {name === null ? null : (
        <span className="text-muted">
          <FactName name={name} />
        </span>
      )}
      {isRoles(before) && isRoles(after) ? <Parts {...change} /> : <BeforeAndAfter {...change} />}
    </div>
  );
}

function BeforeAndAfter({ name, before, after }: Change) {
  const t = useTranslations("audit");
  const wordOf = useWordOf();
  const shown = (value: string | null) =>
    value === null || value === ""
      ? t("nothing")
      : (wordOf(name, value) ?? <ProviderText text={providerWord(value)} />);
  return (
    <>
      <del className={GONE} title={before === null ? undefined : providerText(before)}>
        <span className="sr-only">{t("before")} </span>
        {shown(before)}
      </del>
      <Icon of="arrow-right" size={13} className="text-faint" />
      <ins className={NEW} title={after === null ? undefined : providerText(after)}>
        <span className="sr-only">{t("after")} </span>
        {shown(after)}
      </ins>
    </>
  );
}

function Parts({ before, after }: Change) {
  const parts = compareLists(before, after);
  return (
    <>
      <ul className="flex flex-wrap items-center gap-2">
        {parts.map((part) => (
          <li key={part.text}>
            <PartShown {...part} />
          </li>
        ))}
      </ul>
      <code className="min-w-0 font-mono wrap-anywhere text-faint">
        {before ?? ""} → {after ?? ""}
      </code>
    </>
  );
}

function PartShown({ text, fate }: Part) {
  const t = useTranslations("audit");
  const word = useWordOf()(null, text) ?? text;
  if (fate === "kept") return <span className="rounded border border-line px-1.5 py-0.5">{word}</span>;
  const Mark = fate === "gone" ? "del" : "ins";
  return (
    <Mark className={fate === "gone" ? GONE : NEW}>
      <span className="sr-only">{t(fate)} </span>
      <span aria-hidden>{fate === "gone" ? "− " : "+ "}</span>
      {word}
    </Mark>
  );
}
