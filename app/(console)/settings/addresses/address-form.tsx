"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { SaveBar } from "@/app/(console)/settings/save-bar";
import { Confirmation } from "@/components/layout/confirmation";
import { FailureNotice } from "@/components/layout/failure-text";
import { useUnsaved } from "@/components/session/scope";
import { useAction } from "@/components/session/use-action";
import { Button } from "@/components/ui/button";
import { cn, INPUT_CLASS } from "@/components/ui/cn";
import { FieldFrame, useEarlyText, useField } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { changeAddressList } from "@/lib/security/actions";

type Seen = { version: number; networks: string[] };
type AddressFormProps = { list: Seen; ownAddress: string | null };

const textOf = ({ networks }: Seen) => networks.join("\n");

export function AddressForm({ list, ownAddress }: AddressFormProps) {
  const t = useTranslations("addressList");
  const router = useRouter();
  const { pending, failure, run } = useAction(changeAddressList);
  // A colleague's save does not change what this person edits.
  const [seen, setSeen] = useState(list);
  const [text, setText] = useState(() => textOf(list));
  const [saved, setSaved] = useState<string | null>(null);
  const isChanged = text.trim() !== textOf(seen);
  useUnsaved(isChanged);
  const box = useRef<HTMLTextAreaElement>(null);
  const error = failure?.fields?.["addresses"];
  const field = useField({ hint: t("hint"), error });
  useEarlyText(field.id, text, ({ target }) => setText(target.value));
  useEffect(() => {
    if (failure?.fields) box.current?.focus();
  }, [failure]);
  if (!isChanged && list.version > seen.version) startFrom(list);

  function startFrom(from: Seen) {
    setSeen(from);
    setText(textOf(from));
  }
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setSaved(null);
    if (!isChanged) return;
    run(
      { addresses: text, version: seen.version },
      (made) => {
        startFrom(made);
        setSaved(t("saved", { version: made.version }));
        router.refresh();
      },
      // Unsaved text blocks live refreshes, but a refused person needs the current list.
      ({ kind }) => kind === "conflict" && router.refresh(),
    );
  };

  return (
    <form method="post" noValidate onSubmit={submit} className="mt-4">
      <FieldFrame id={field.id} label={t("addresses")} hint={t("hint")} error={error}>
        <textarea
          {...field}
          ref={box}
          rows={8}
          spellCheck={false}
          autoComplete="off"
          value={text}
          onChange={({ target }) => setText(target.value)}
          className={cn(INPUT_CLASS, "block max-h-96 min-h-32 resize-y py-2 tabular-nums")}
        />
      </FieldFrame>
      <p className="mt-2 mb-3 flex flex-wrap items-center gap-x-3 gap-y-1.5 text-sm wrap-anywhere text-muted">
        {ownAddress === null ? t("ownUnknown") : t("own", { address: ownAddress })}
        {ownAddress === null ? null : (
          <Button size="small" onClick={() => setText([text.trim(), ownAddress].filter(Boolean).join("\n"))}>
            {t("addOwn")}
          </Button>
        )}
      </p>
      <FailureNotice failure={failure} className="mb-3" />
      {list.version > seen.version && isChanged ? (
        <Notice tone="warning" live="polite" className="mb-3">
          {t("moved", { version: list.version })}{" "}
          <Button size="small" onClick={() => startFrom(list)}>
            {t("startOver", { version: list.version })}
          </Button>
        </Notice>
      ) : null}
      <SaveBar save={t("save")} isChanged={isChanged} pending={pending} onDiscard={() => startFrom(seen)} />
      <Confirmation onDismiss={() => setSaved(null)}>{saved}</Confirmation>
    </form>
  );
}
