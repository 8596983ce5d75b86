"use client";

import { useTranslations } from "next-intl";
import { type KeyboardEvent, useId, useState } from "react";
import { keyOf } from "@/components/ui/keys";
import type { Fields } from "@/components/form/draft-saver";
import { cn, INPUT_CLASS } from "@/components/ui/cn";
import { FieldFrame, TextField, useField } from "@/components/ui/field";
import { type Bank, bankLabel, bankOfIspb, banksLike } from "@/lib/text/banks";

const SHOWN = 8;

const isIspb = (typed: string) => /^\d{8}$/.test(typed.trim());

/** The ISPB and code behind the text: those of the chosen bank, or of the only match. */
export function bankBehind(value: (name: string) => string): { institutionIspb: string; institutionCode: string } {
  const chosen = value("institutionIspb");
  const typed = value("bank").trim();
  const code = value("institutionCode");
  if (chosen !== "") return { institutionIspb: chosen, institutionCode: bankOfIspb(chosen)?.code ?? code };
  const [only, another] = typed === "" ? [] : banksLike(typed);
  const exact = only !== undefined && (another === undefined || only.ispb === typed || only.code === typed);
  if (exact) return { institutionIspb: only.ispb, institutionCode: only.code };
  return { institutionIspb: typed, institutionCode: code };
}

type BankFieldProps = { fields: Fields };

/** Finds a bank by name, code or ISPB; an unlisted one needs both numbers. */
export function BankField({ fields }: BankFieldProps) {
  const t = useTranslations("transferForm");
  const listId = useId();
  const [isOpen, setOpen] = useState(false);
  const [position, setPosition] = useState(-1);
  const typed = fields.value("bank");
  const chosen = bankOfIspb(fields.value("institutionIspb"));
  const isOther = chosen === null && isIspb(typed) && bankOfIspb(typed.trim()) === null;
  const found = banksLike(chosen === null ? typed : "").slice(0, SHOWN);
  const error = fields.error("institutionIspb");
  const hint = chosen === null ? t("bankHint") : t("bankChosen", chosen);
  const field = useField({ hint, error });
  const isListed = isOpen && (found.length > 0 || typed.trim() !== "") && !isOther;
  const active = isListed ? found[position] : undefined;

  const choose = (bank: Bank) => {
    fields.set("bank", bankLabel(bank));
    fields.set("institutionIspb", bank.ispb);
    fields.set("institutionCode", bank.code);
    setOpen(false);
    setPosition(-1);
  };
  const type = (text: string) => {
    fields.set("bank", text);
    if (chosen !== null) fields.set("institutionCode", "");
    fields.set("institutionIspb", "");
    setOpen(true);
    setPosition(text.trim() === "" ? -1 : 0);
  };
  const press = (event: KeyboardEvent<HTMLInputElement>) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[keyOf(event)];
    if (step !== undefined) {
      event.preventDefault();
      setOpen(true);
      setPosition((before) => Math.min(Math.max(before + step, 0), found.length - 1));
    } else if (keyOf(event) === "Enter" && active !== undefined) {
      event.preventDefault();
      choose(active);
    } else if (keyOf(event) === "Escape" && isListed) {
      event.preventDefault();
      setOpen(false);
    }
  };
  const leave = () => {
    setOpen(false);
    const { institutionIspb } = bankBehind(fields.value);
    const only = bankOfIspb(institutionIspb);
    if (only !== null && chosen === null) choose(only);
  };
  return (
    <>
      <FieldFrame id={field.id} label={t("bank")} hint={hint} error={error}>
        <div className="relative max-w-md">
          <input
            {...field}
            type="text"
            name="bank"
            role="combobox"
            aria-expanded={isListed}
            aria-controls={listId}
            aria-autocomplete="list"
            aria-activedescendant={active === undefined ? undefined : `${listId}-${active.ispb}`}
            autoComplete="off"
            spellCheck={false}
            value={typed}
            onChange={({ target }) => type(target.value)}
            onClick={() => setOpen(true)}
            onKeyDown={press}
            onBlur={leave}
            className={cn(INPUT_CLASS, "h-9")}
          />
          <div
            id={listId}
            // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a select cannot be typed into
            role="listbox"
            aria-label={t("banks")}
            hidden={!isListed || found.length === 0}
            className="absolute inset-x-0 top-full z-20 mt-1 max-h-72 overflow-y-auto rounded border border-line bg-raised py-1 shadow-float"
          >
            {found.map((bank, at) => (
              <button
                key={bank.ispb}
                id={`${listId}-${bank.ispb}`}
                type="button"
                // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- an option holds no columns
                role="option"
                tabIndex={-1}
                aria-selected={at === position}
                // Keeps the focus in the input.
                onPointerDown={(event) => event.preventDefault()}
                onClick={() => choose(bank)}
                className={cn(
                  "grid w-full cursor-pointer grid-cols-[2.25rem_minmax(0,1fr)_auto] items-baseline gap-2 px-2.5 py-1.5 text-start hover:bg-hover",
                  at === position && "bg-hover",
                )}
              >
                <span className="text-muted tabular-nums">{bank.code}</span>
                <span className="truncate">{bank.name}</span>
                <span className="text-sm text-muted tabular-nums">{bank.ispb}</span>
              </button>
            ))}
          </div>
          <p aria-live="polite" className={isListed && found.length === 0 ? "mt-1.5 text-sm text-muted" : "sr-only"}>
            {!isListed ? null : found.length === 0 ? t("bankNone") : t("bankCount", { count: found.length })}
          </p>
        </div>
      </FieldFrame>
      {isOther ? (
        <TextField
          label={t("bankCode")}
          hint={t("bankOther")}
          error={fields.error("institutionCode")}
          name="institutionCode"
          inputMode="numeric"
          autoComplete="off"
          value={fields.value("institutionCode")}
          onChange={({ target }) => fields.set("institutionCode", target.value)}
          className="max-w-32 tabular-nums"
        />
      ) : null}
    </>
  );
}
