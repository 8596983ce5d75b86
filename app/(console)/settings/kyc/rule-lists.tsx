import { Icon } from "@/components/ui/icons";
import { useTranslations } from "next-intl";
import { type ReactNode, useId } from "react";
import { flushSync } from "react-dom";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { cn, INPUT_CLASS } from "@/components/ui/cn";
import { useEarlyChoice, useEarlyText } from "@/components/ui/field";
import { type DraftItem, type DraftReason, moved, newItem, type RulesDraft } from "./rules-draft";

export type Problems = (path: string) => string | undefined;

export type PartProps = {
  draft: RulesDraft;
  isTried: boolean;
  problems: Problems;
  onChange: (changes: (now: RulesDraft) => Partial<RulesDraft>) => void;
};

type RowAction = { icon: ReactNode; label: string; onAct: () => void; takesRow: boolean };

type ItemRowsProps<Item extends DraftItem> = {
  title: string;
  hint: string;
  nameOf: (n: number) => string;
  addLabel: string;
  items: readonly Item[];
  problems: (item: Item) => string | undefined;
  error?: string | undefined;
  actionOf: (item: Item, name: string) => RowAction;
  isRetired?: (item: Item) => boolean;
  scopeOf: (item: Item, name: string) => ReactNode;
  onWrite: (item: Item, text: string) => void;
  onMove: (item: Item, by: -1 | 1) => void;
  onAdd: () => void;
};

/** Keeps the focus while rows are added, removed and moved. */
function focusAfter(change: () => void, id: string): void {
  flushSync(change);
  document.getElementById(id)?.focus();
}

function ItemRows<Item extends DraftItem>(props: ItemRowsProps<Item>) {
  const t = useTranslations("caseRules");
  const id = useId();
  const { title, hint, items, error, addLabel, onAdd } = props;
  const addId = `${id}-add`;
  return (
    <fieldset aria-describedby={`${id}-hint`} className="border-t border-line py-4">
      <legend className="float-left w-full font-medium">{title}</legend>
      <p id={`${id}-hint`} className="clear-both pt-0.5 text-sm text-muted">
        {hint}
      </p>
      {error === undefined ? null : <p className="mt-1.5 text-sm text-negative">{error}</p>}
      {items.length === 0 ? <p className="mt-2 text-muted">{t("none")}</p> : null}
      <ol className="mt-2 space-y-2">
        {items.map((item, n) => (
          <ItemRow key={item.key} {...props} item={item} n={n} id={`${id}-${item.key}`} addId={addId} />
        ))}
      </ol>
      <Button
        id={addId}
        size="small"
        className="mt-2.5"
        onClick={() => {
          flushSync(onAdd);
          document
            .getElementById(addId)
            ?.parentElement?.querySelector<HTMLElement>("li:last-of-type textarea")
            ?.focus();
        }}
      >
        <Icon of="plus" size={14} />
        {addLabel}
      </Button>
    </fieldset>
  );
}

type ItemRowProps<Item extends DraftItem> = ItemRowsProps<Item> & { item: Item; n: number; id: string; addId: string };

function ItemRow<Item extends DraftItem>({ item, n, id, addId, ...rows }: ItemRowProps<Item>) {
  const t = useTranslations("caseRules");
  const problem = rows.problems(item);
  const text = item.text.trim() === "" ? rows.nameOf(n + 1) : item.text;
  const action = rows.actionOf(item, text);
  const isRetired = rows.isRetired?.(item) ?? false;
  const move = (by: -1 | 1) => focusAfter(() => rows.onMove(item, by), `${id}-${by === -1 ? "up" : "down"}`);
  const isFirst = n === 0;
  const isLast = n === rows.items.length - 1;
  const write = (typed: string) => rows.onWrite(item, typed.replaceAll("\n", " "));
  useEarlyText(`${id}-text`, item.text, ({ target }) => write(target.value));
  return (
    <li>
      <div className="flex flex-wrap items-start gap-1.5">
        <textarea
          id={`${id}-text`}
          aria-label={rows.nameOf(n + 1)}
          aria-invalid={problem ? true : undefined}
          aria-describedby={problem ? `${id}-error` : undefined}
          rows={1}
          value={item.text}
          onChange={(event) => write(event.target.value)}
          className={cn(
            INPUT_CLASS,
            "block min-h-9 w-auto min-w-48 flex-1 resize-none py-1.5 field-sizing-content",
            isRetired && "text-muted line-through",
          )}
        />
        {rows.scopeOf(item, text)}
        <span className="flex items-center gap-0.5">
          {isRetired ? <Badge tone="neutral">{t("retired")}</Badge> : null}
          <IconButton id={`${id}-up`} label={t("up", { text })} isOff={isFirst} onClick={() => move(-1)}>
            <Icon of="arrow-up" size={15} />
          </IconButton>
          <IconButton id={`${id}-down`} label={t("down", { text })} isOff={isLast} onClick={() => move(1)}>
            <Icon of="arrow-down" size={15} />
          </IconButton>
          <IconButton
            id={`${id}-act`}
            label={action.label}
            onClick={() => focusAfter(action.onAct, action.takesRow ? addId : `${id}-act`)}
          >
            {action.icon}
          </IconButton>
        </span>
      </div>
      {problem ? (
        <p id={`${id}-error`} className="mt-1 text-sm text-negative">
          {problem}
        </p>
      ) : null}
    </li>
  );
}

type IconButtonProps = { id: string; label: string; isOff?: boolean; onClick: () => void; children: ReactNode };

function IconButton({ id, label, isOff = false, onClick, children }: IconButtonProps) {
  const t = useTranslations("common");
  return (
    <Button
      id={id}
      tone="quiet"
      className="size-9 px-0 aria-disabled:bg-transparent aria-disabled:opacity-50"
      aria-label={label}
      title={isOff ? t("noMore") : label}
      aria-disabled={isOff || undefined}
      onClick={() => !isOff && onClick()}
    >
      {children}
    </Button>
  );
}

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
  const id = useId();
  const choose = (chosen: string) => onChange(options.find((option) => option.value === chosen)?.value ?? null);
  useEarlyChoice(id, value ?? "", choose);
  return (
    <select
      id={id}
      aria-label={label}
      value={value ?? ""}
      onChange={({ target }) => choose(target.value)}
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

/** A used reason is retired instead of removed, because decisions name it. */
export function ReasonRows({ draft, isTried, problems, onChange }: PartProps) {
  const t = useTranslations("caseRules");
  const { reasons } = draft;
  const set = (changed: DraftReason[]) => onChange(() => ({ reasons: changed }));
  // Several are put at once where they were typed before the script came.
  const put = ({ key }: DraftReason, changes: Partial<DraftReason>) =>
    onChange((now) => ({ reasons: now.reasons.map((one) => (one.key === key ? { ...one, ...changes } : one)) }));
  const problemOf = (item: DraftReason) =>
    isTried && item.text.trim() === "" ? t("textFirst") : problems(`reasons.${reasons.indexOf(item)}.text`);
  const actionOf = (item: DraftReason, text: string) => {
    if (item.code === null) {
      const remove = () => set(reasons.filter((one) => one !== item));
      return { icon: <Icon of="trash-2" size={15} />, label: t("remove", { text }), onAct: remove, takesRow: true };
    }
    return {
      icon: item.isRetired ? <Icon of="rotate-ccw" size={15} /> : <Icon of="archive" size={15} />,
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
    const setBy = (change: (now: DraftItem[]) => DraftItem[]) =>
      onChange((now) => ({ checklist: { ...now.checklist, [kind]: change(now.checklist[kind]) } }));
    const set = (changed: DraftItem[]) => setBy(() => changed);
    const put = ({ key }: DraftItem, changes: Partial<DraftItem>) =>
      setBy((now) => now.map((one) => (one.key === key ? { ...one, ...changes } : one)));
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
          icon: <Icon of="trash-2" size={15} />,
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
