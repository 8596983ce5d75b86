"use client";

import { useTranslations } from "next-intl";
import { useRef, useState } from "react";
import { Button } from "@/components/ui/button";
import { FieldFrame, useField } from "@/components/ui/field";
import { Icon } from "@/components/ui/icons";
import { isSendable, mayBeSendable, readTextFile } from "@/lib/text/text-file";

type CsvFieldProps = { label: string; hint: string; error: string | undefined; onText: (text: string) => void };

/** One file, read in the browser. */
export function CsvField({ label, hint, error, onText }: CsvFieldProps) {
  const t = useTranslations("common");
  const [fault, setFault] = useState<"unreadableFile" | "largeFile" | "emptyFile" | null>(null);
  const shown = fault === null ? error : t(fault);
  const { id, ...described } = useField({ hint, error: shown });
  const input = useRef<HTMLInputElement>(null);
  const [name, setName] = useState<string | null>(null);
  const read = async (file: File | undefined) => {
    setName(file?.name ?? null);
    setFault(null);
    onText("");
    if (file === undefined) return;
    if (!mayBeSendable(file)) return setFault("largeFile");
    const text = readTextFile(new Uint8Array(await file.arrayBuffer()));
    if (text === null) setFault("unreadableFile");
    else if (text.trim() === "") setFault("emptyFile");
    else if (isSendable(text)) onText(text);
    else setFault("largeFile");
  };
  return (
    <FieldFrame id={id} label={label} hint={hint} error={shown}>
      <div className="flex items-center gap-3 rounded border border-dashed border-line-strong px-3 py-2.5">
        <Button {...described} onClick={() => input.current?.click()}>
          <Icon of="upload" size={14} />
          {t("chooseFile")}
        </Button>
        <span aria-live="polite" className="min-w-0 truncate text-muted">
          {name === null ? null : <bdi>{name}</bdi>}
        </span>
        <input
          ref={input}
          id={id}
          type="file"
          hidden
          accept=".csv,.txt,text/csv,text/plain"
          onChange={({ target }) => {
            const [file] = target.files ?? [];
            void read(file);
          }}
        />
      </div>
    </FieldFrame>
  );
}
