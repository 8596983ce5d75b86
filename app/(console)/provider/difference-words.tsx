import { useTranslations } from "next-intl";
import { ProviderText } from "@/components/layout/provider-text";
import { Badge, type Tone } from "@/components/ui/badge";
import type { DifferenceKind } from "@/lib/contract/differences";

const TONES: Record<DifferenceKind, Tone> = { MISSING: "negative", RETYPED: "warning", UNKNOWN: "neutral" };

type Told = { is: DifferenceKind; field: string; found: string; documented: string };

export function DifferenceBadge({ is }: Pick<Told, "is">) {
  const t = useTranslations("conformance.kinds");
  return <Badge tone={TONES[is]}>{t(is)}</Badge>;
}

/** A name that may be a value stands as `*`. */
export function FieldName({ field }: Pick<Told, "field">) {
  const t = useTranslations("conformance");
  if (field === "") return t("whole");
  const hidden = field === "*" || field.endsWith(".*");
  return (
    <code className="text-start font-mono text-sm wrap-anywhere" title={hidden ? t("unnamedHint") : undefined}>
      <ProviderText text={hidden ? field.slice(0, -1) : field} />
      {hidden ? <span className="font-sans text-muted">{t("unnamed")}</span> : null}
    </code>
  );
}

const TYPES = ["string", "integer", "number", "boolean", "object", "array", "null"] as const;

function useTypeWords(): (types: string) => string {
  const t = useTranslations("conformance.types");
  return (types) =>
    types
      .split(" | ")
      .map((type) => {
        const known = TYPES.find((one) => one === type);
        return known === undefined ? type : t(known);
      })
      .join(" / ");
}

/** What came, and what the contract has instead. */
export function DifferenceNote({ is, found, documented }: Told) {
  const t = useTranslations("conformance");
  const typeOf = useTypeWords();
  if (is === "MISSING") return t("expected", { documented: typeOf(documented) });
  if (is === "UNKNOWN") return t("new", { found: typeOf(found) });
  return t("instead", { found: typeOf(found), documented: typeOf(documented) });
}
