import { ArrowRight } from "lucide-react";
import { useTranslations } from "next-intl";
import { ProviderText } from "@/components/table/provider-text";
import type { Change } from "@/lib/audit/view";
import { compareLists, type Part } from "@/lib/audit/view";
import { isRole } from "@/lib/auth/permission";
import { providerText, providerWord } from "@/lib/text/typed";
import { FactName, useWordOf } from "./fact-value";

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
      <ArrowRight aria-hidden size={13} className="text-faint" />
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
