import { useLocale, useTranslations } from "next-intl";
import { ProviderText } from "@/components/table/provider-text";
import { type AuditRow, knownFact, recordOf } from "@/lib/audit/view";
import { valueWord } from "@/lib/audit/view";
import { isRole } from "@/lib/auth/permission";
import { formatDateTime } from "@/lib/text/format";
import { providerWord } from "@/lib/text/typed";
import { ObjectLink } from "./audit-words";

export function FactName({ name }: { name: string }) {
  const t = useTranslations("audit.facts");
  const known = knownFact(name);
  return known === null ? <code className="font-mono">{name}</code> : t(known);
}

const INSTANT = /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/;

export function useWordOf(): (name: string | null, value: string) => string | null {
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
