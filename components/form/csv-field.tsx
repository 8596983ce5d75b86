"use client";

import { useTranslations } from "next-intl";
import { useRef, useState } from "react";
import { Button } from "@/components/ui/button";
import { FieldFrame, useField } from "@/components/ui/field";
import { Icon } from "@/components/ui/icons";
import { readTextFile } from "@/lib/text/text-file";

type CsvFieldProps = { label: string; hint: string; error: string | undefined; onText: (text: string) => void };

/** One file, read in the browser. */
export function CsvField({ label, hint, error, onText }: CsvFieldProps) {
  const t = useTranslations("common");
  const [isUnread, setUnread] = useState(false);
  const shown = isUnread ? t("unreadableFile") : error;
  const { id, ...described } = useField({ hint, error: shown });
  const input = useRef<HTMLInputElement>(null);
  const [name, setName] = useState<string | null>(null);
  const read = async (file: File | undefined) => {
    setName(file?.name ?? null);
    setUnread(false);
    onText("");
    if (file === undefined) return;
    const text = readTextFile(new Uint8Array(await file.arrayBuffer()));
    setUnread(text === null);
    onText(text ?? "");
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
