"use client";

import { useTranslations } from "next-intl";
import { useRef, useState } from "react";
import { Button } from "@/components/ui/button";
import { FieldFrame, useField } from "@/components/ui/field";
import { Icon } from "@/components/ui/icons";

type CsvFieldProps = { label: string; hint: string; error: string | undefined; onText: (text: string) => void };

/** One file, read here. */
export function CsvField({ label, hint, error, onText }: CsvFieldProps) {
  const t = useTranslations("common");
  const { id, ...described } = useField({ hint, error });
  const input = useRef<HTMLInputElement>(null);
  const [name, setName] = useState<string | null>(null);
  return (
    <FieldFrame id={id} label={label} hint={hint} error={error}>
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
          accept=".csv,text/csv"
          onChange={({ target }) => {
            const [file] = target.files ?? [];
            setName(file?.name ?? null);
            void file?.text().then(onText);
          }}
        />
      </div>
    </FieldFrame>
  );
}
