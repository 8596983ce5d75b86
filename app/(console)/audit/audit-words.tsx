import { useLocale, useTranslations } from "next-intl";
import { ProviderText } from "@/components/table/provider-text";
import {
  type AuditRow,
  knownFact,
  recordOf,
  valueWord,
  type Change,
  compareLists,
  type Part,
  knownCode,
} from "@/lib/audit/view";
import { isRole } from "@/lib/auth/permission";
import { formatDateTime } from "@/lib/text/format";
import { providerWord, providerText } from "@/lib/text/typed";
import { Icon } from "@/components/ui/icons";
import Link from "next/link";
import type { Tone } from "@/components/ui/badge";
import { Status, type Progress } from "@/components/ui/status";
import { namingHidden } from "@/lib/text/safe-link";

export function FactName({ name }: { name: string }) {
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
    const word = valueWord(name, value);
    return word === null ? null : t(`audit.values.${word}`);
  };
}

const isCode = (value: string) => value !== "true" && value !== "false" && !INSTANT.test(value);

export function FactValue({ name, value, named }: { name: string; value: string } & Pick<AuditRow, "named">) {
  const list = new Intl.ListFormat(useLocale());
  const wordOf = useWordOf();
  const person = named[value];
  if (person !== undefined) return <span className="wrap-anywhere">{person}</span>;
  if (recordOf(value).kind !== null) return <ObjectLink isWhole object={value} name={null} />;
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

const GONE = "rounded bg-negative-tint px-1.5 py-0.5 no-underline";
const NEW = "rounded bg-positive-tint px-1.5 py-0.5 no-underline";

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
      <code className="font-mono text-faint">
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

const LOOKS: Record<AuditRow["outcome"], [Tone, Progress]> = {
  DONE: ["positive", "settled"],
  REFUSED: ["negative", "settled"],
  INTENT: ["neutral", "waiting"],
  HELD: ["info", "moving"],
  UNKNOWN: ["warning", "moving"],
};

export function AuditOutcome({ outcome, detail }: Pick<AuditRow, "outcome" | "detail">) {
  const t = useTranslations("audit.outcomes");
  const [tone, progress] = LOOKS[outcome];
  return (
    <Status tone={tone} progress={progress}>
      <span className="truncate">
        {t(outcome === "REFUSED" && detail["code"] === "TRANSACTION_BLOCKED" ? "BLOCKED" : outcome)}
      </span>
    </Status>
  );
}

/** A refused screen was not an attempted write. */
export function useEventName(): (row: Pick<AuditRow, "code" | "outcome" | "detail">) => string {
  const t = useTranslations("audit");
  const nameOf = useCodeName();
  return ({ code, outcome, detail }) =>
    outcome === "REFUSED" && detail["how"] === "read" ? t("refusedVisit") : nameOf(code);
}

export function useCodeName(): (code: string) => string {
  const t = useTranslations("audit");
  return (code) => {
    const known = knownCode(code);
    return known === null ? code : t(`codes.${known}`);
  };
}

const WATCHES = [
  "approvals",
  "kyc",
  "onboarding",
  "retention",
  "sessions",
  "transfers",
  "wallets",
  "webhooks",
] as const;

export function useActorName(): (row: Pick<AuditRow, "actor" | "byName">) => string {
  const t = useTranslations("audit");
  return ({ actor, byName }) => {
    if (byName !== null) return byName;
    if (actor === "command") return t("byCommand");
    if (actor === "nobody") return t("byNobody");
    if (actor === "oidc") return t("byCompany");
    if (!actor.startsWith("watch:")) return actor;
    const watch = actor.slice("watch:".length);
    const known = WATCHES.find((name) => name === watch);
    return t("byWatch", { name: known === undefined ? watch : t(`watches.${known}`) });
  };
}

const SHORT_ID = 8;
/** Readable ids, such as `transfer.external`, are not cut. */
const WHOLE_ID = 24;

type ObjectLinkProps = { object: string; name: string | null; isWhole?: boolean };

export function ObjectLink({ object, name, isWhole = false }: ObjectLinkProps) {
  const t = useTranslations("audit.objects");
  const { kind, id, href } = recordOf(object);
  const shown = isWhole || id.length <= WHOLE_ID ? id : id.slice(0, SHORT_ID);
  const words = `${kind === null ? "" : t(kind)} ${name ?? namingHidden(shown)}`.trim();
  if (href === null) return <span title={namingHidden(id)}>{words}</span>;
  return (
    <Link href={href} prefetch={false} title={namingHidden(id)} className="relative z-1 text-accent hover:underline">
      {words}
    </Link>
  );
}
