"use client";

import { useRouter } from "next/navigation";
import {
  createContext,
  type FocusEvent,
  type FormEvent,
  type ReactNode,
  useEffect,
  useEffectEvent,
  useId,
  useRef,
} from "react";
import { flushSync } from "react-dom";
import { Button } from "@/components/ui/button";
import { ABOVE_RESULTS, cn, INPUT_CLASS } from "@/components/ui/cn";
import { hrefWith } from "@/lib/text/page";
import { ClearFilters, FoldButton, useFold } from "./filter-fold";

type Typed = Record<string, string | undefined>;

type FilterBarProps = {
  path: string;
  params: Typed;
  /** The parameters that remain after clearing; by default none. */
  cleared?: Typed;
  isFiltered: boolean;
  words: { apply: string; clear: string };
  /** Always in the row: a filter with its own form, one of this form, and what follows. */
  before?: ReactNode;
  first?: ReactNode;
  beside?: ReactNode;
  /** In the row from this width on; `more` is always folded. */
  children?: ReactNode;
  from?: keyof typeof IN_ROW;
  more?: ReactNode;
  chosen?: readonly (string | undefined)[];
  /** Whether an answer costs no call: then each filter applies by itself, once chosen or left. */
  isInstant?: boolean;
  /** What a form's values are in the address, where they differ. */
  addressed?: (typed: Typed) => Typed;
  className?: string;
};

/** What only a person in the folded filters needs is loaded once they are unfolded. */
export const Unfolded = createContext(true);

/** A plain form, so that it works before its script loads. */
export function FilterBar({
  path,
  params,
  cleared = params,
  isFiltered,
  words,
  before,
  first,
  beside,
  children,
  from = "widest",
  more,
  chosen = [],
  isInstant = true,
  addressed = (typed) => typed,
  className = "border-b border-line px-5 py-2",
}: FilterBarProps) {
  const router = useRouter();
  const id = useId();
  const [isOpen, setOpen] = useFold(path);
  const panel = useRef<HTMLDivElement>(null);
  const form = useRef<HTMLFormElement>(null);
  const applied = useRef("");
  const isFoldable = children !== undefined || more !== undefined;

  const showWrong = useEffectEvent(() => {
    if (panel.current?.querySelector("[aria-invalid=true]")) setOpen(true);
  });
  useEffect(() => showWrong(), []);

  const hrefOf = (filled: HTMLFormElement) => {
    const typed = [...new FormData(filled)].flatMap(([name, value]) =>
      typeof value === "string" ? [[name, value.trim()]] : [],
    );
    return hrefWith(path, addressed(Object.fromEntries(typed)));
  };
  const noteApplied = ({ currentTarget, relatedTarget }: FocusEvent<HTMLDivElement>) => {
    if (form.current && !currentTarget.contains(relatedTarget)) applied.current = hrefOf(form.current);
  };
  const apply = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    applied.current = hrefOf(event.currentTarget);
    router.push(applied.current, { scroll: false });
  };
  const applyOnLeave = ({ currentTarget, relatedTarget }: FocusEvent<HTMLDivElement>) => {
    const filled = form.current;
    // A window that loses the focus keeps its active element.
    const isWithin = currentTarget.contains(relatedTarget) || currentTarget.contains(document.activeElement);
    if (!isInstant || filled === null || isWithin || !filled.matches(":valid")) return;
    if (hrefOf(filled) !== applied.current) filled.requestSubmit();
  };
  const showInvalid = ({ target }: FormEvent) => {
    // Synchronously, as the invalid control takes the focus next.
    if (target instanceof Node && panel.current?.contains(target)) flushSync(() => setOpen(true));
  };

  const submit = (
    <Button type="submit" size="small" className={cn(isInstant && "quiet-submit")}>
      {words.apply}
    </Button>
  );
  return (
    <div
      onFocus={noteApplied}
      onBlur={applyOnLeave}
      className={cn("flex flex-wrap items-start gap-2 print:hidden", className, ABOVE_RESULTS)}
    >
      {before}
      <form ref={form} action={path} onSubmit={apply} onInvalidCapture={showInvalid} className="contents">
        {Object.entries(params).map(([name, value]) =>
          value === undefined ? null : <input key={name} type="hidden" name={name} value={value} />,
        )}
        {first}
        {isFoldable ? (
          <>
            <FoldButton
              controls={id}
              isOpen={isOpen}
              set={chosen.filter(Boolean).length}
              onToggle={() => setOpen(!isOpen)}
              className={cn("noscript:hidden", more === undefined && IN_ROW[from])}
            />
            <div ref={panel} id={id} data-from={from} data-folded={!isOpen || undefined} className="fold">
              {children}
              {more === undefined ? null : (
                <div className="fold">
                  <Unfolded value={isOpen}>{more}</Unfolded>
                </div>
              )}
              {submit}
            </div>
          </>
        ) : (
          submit
        )}
      </form>
      {isFiltered ? <ClearFilters href={hrefWith(path, cleared)} label={words.clear} /> : null}
      {beside}
    </div>
  );
}

const IN_ROW = { medium: "@medium:hidden", widest: "@widest:hidden" } as const;

export const CONTROL = cn(INPUT_CLASS, "h-7 px-2 text-sm");

type FilterChoiceProps = {
  name: string;
  label: string;
  value: string | undefined;
  /** Null where one of them always applies. */
  any: string | null;
  options: readonly { value: string; label: string }[];
  isWide?: boolean;
};

/** Applies at once; one chosen before its script came applies with it. */
export function FilterChoice({ name, label, value, any, options, isWide = false }: FilterChoiceProps) {
  const select = useRef<HTMLSelectElement>(null);
  const shown = useRef(value);
  useEffect(() => {
    const offered = [...(select.current?.options ?? [])];
    const wasChosen = offered.some((one) => one.defaultSelected && !one.selected);
    if (wasChosen) select.current?.form?.requestSubmit();
  }, []);
  useEffect(() => {
    if (select.current && shown.current !== value) select.current.value = value ?? "";
    shown.current = value;
  }, [value]);
  return (
    <div className={isWide ? "w-80 @max-medium:w-full" : "w-41 @max-medium:w-[calc(50%-0.25rem)]"}>
      <select
        ref={select}
        name={name}
        autoComplete="off"
        aria-label={label}
        defaultValue={value ?? ""}
        onChange={(event) => event.currentTarget.form?.requestSubmit()}
        className={CONTROL}
      >
        {any === null ? null : <option value="">{any}</option>}
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </div>
  );
}
