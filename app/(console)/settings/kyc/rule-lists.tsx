import { Archive, RotateCcw, Trash2 } from "lucide-react";
import { useTranslations } from "next-intl";
import { INPUT_CLASS } from "@/components/ui/input-class";
import { ItemRows } from "./item-rows";
import { type DraftItem, type DraftReason, moved, newItem } from "./rules-draft";
import type { PartProps } from "./rules-form";

const DECISIONS = ["APPROVED", "REPROVED"] as const;
const KINDS = ["PF", "PJ"] as const;
const PROCESSES = ["kyc-backgroundcheck", "kyc-documentscopy"] as const;

type ScopeFieldProps<Value extends string> = {
  label: string;
  value: Value | null;
  any: string;
  options: readonly { value: Value; label: string }[];
  onChange: (value: Value | null) => void;
};

function ScopeField<Value extends string>({ label, value, any, options, onChange }: ScopeFieldProps<Value>) {
  return (
    <select
      aria-label={label}
      value={value ?? ""}
      onChange={(event) => onChange(options.find((option) => option.value === event.target.value)?.value ?? null)}
      className={`${INPUT_CLASS} h-9 max-w-max`}
    >
      <option value="">{any}</option>
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.label}
        </option>
      ))}
    </select>
  );
}

type ProcessFieldProps = { name: string; value: DraftItem["process"]; onChange: (value: DraftItem["process"]) => void };

function ProcessField({ name, value, onChange }: ProcessFieldProps) {
  const t = useTranslations("caseRules");
  const options = PROCESSES.map((process) => ({ value: process, label: t(`scopes.${process}`) }));
  const label = t("processOf", { text: name });
  return <ScopeField label={label} value={value} any={t("scopes.anyProcess")} options={options} onChange={onChange} />;
}

/** A reason once in force is retired, not removed: decisions name it. */
export function ReasonRows({ draft, isTried, problems, onChange }: PartProps) {
  const t = useTranslations("caseRules");
  const { reasons } = draft;
  const set = (changed: DraftReason[]) => onChange({ reasons: changed });
  const put = (item: DraftReason, changes: Partial<DraftReason>) =>
    set(reasons.map((one) => (one === item ? { ...one, ...changes } : one)));
  const problemOf = (item: DraftReason) =>
    isTried && item.text.trim() === "" ? t("textFirst") : problems(`reasons.${reasons.indexOf(item)}.text`);
  const actionOf = (item: DraftReason, text: string) => {
    if (item.code === null) {
      const remove = () => set(reasons.filter((one) => one !== item));
      return { icon: <Trash2 aria-hidden size={15} />, label: t("remove", { text }), onAct: remove, takesRow: true };
    }
    return {
      icon: item.isRetired ? <RotateCcw aria-hidden size={15} /> : <Archive aria-hidden size={15} />,
      label: t(item.isRetired ? "restore" : "retire", { text }),
      onAct: () => put(item, { isRetired: !item.isRetired }),
      takesRow: false,
    };
  };
  return DECISIONS.map((decision) => (
    <ItemRows
      key={decision}
      title={t(`reasons${decision}`)}
      hint={t("reasonsHint")}
      nameOf={(n) => t("reason", { n })}
      addLabel={t("newReason")}
      items={reasons.filter((reason) => reason.decision === decision)}
      problems={problemOf}
      error={problems("reasons")}
      actionOf={actionOf}
      isRetired={({ isRetired }) => isRetired}
      scopeOf={(item, text) => (
        <>
          <ProcessField name={text} value={item.process} onChange={(process) => put(item, { process })} />
          <ScopeField
            label={t("kindOf", { text })}
            value={item.kycType}
            any={t("scopes.anyone")}
            options={KINDS.map((kind) => ({ value: kind, label: t(`scopes.${kind}`) }))}
            onChange={(kycType) => put(item, { kycType })}
          />
        </>
      )}
      onWrite={(item, text) => put(item, { text })}
      onMove={({ key }, by) => set(moved(reasons, { key, by }, (one) => one.decision === decision))}
      onAdd={() => set([...reasons, { ...newItem(), decision, isRetired: false, kycType: null }])}
    />
  ));
}

export function ChecklistRows({ draft, isTried, problems, onChange }: PartProps) {
  const t = useTranslations("caseRules");
  const { checklist } = draft;
  return KINDS.map((kind) => {
    const items = checklist[kind];
    const set = (changed: DraftItem[]) => onChange({ checklist: { ...checklist, [kind]: changed } });
    const put = (item: DraftItem, changes: Partial<DraftItem>) =>
      set(items.map((one) => (one === item ? { ...one, ...changes } : one)));
    return (
      <ItemRows
        key={kind}
        title={t(`checklist${kind}`)}
        hint={t("checklistHint")}
        nameOf={(n) => t("item", { n })}
        addLabel={t("newItem")}
        items={items}
        problems={(item) =>
          isTried && item.text.trim() === ""
            ? t("textFirst")
            : problems(`checklist.${kind}.${items.indexOf(item)}.text`)
        }
        error={problems(`checklist.${kind}`)}
        actionOf={(item, text) => ({
          icon: <Trash2 aria-hidden size={15} />,
          label: t("remove", { text }),
          onAct: () => set(items.filter((one) => one !== item)),
          takesRow: true,
        })}
        scopeOf={(item, text) => (
          <ProcessField name={text} value={item.process} onChange={(process) => put(item, { process })} />
        )}
        onWrite={(item, text) => put(item, { text })}
        onMove={({ key }, by) => set(moved(items, { key, by }))}
        onAdd={() => set([...items, newItem()])}
      />
    );
  });
}
