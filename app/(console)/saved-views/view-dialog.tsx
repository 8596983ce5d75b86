"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { FormDialog } from "@/components/form/form-dialog";
import { useAction } from "@/components/session/use-action";
import { Button } from "@/components/ui/button";
import { TextField } from "@/components/ui/field";
import { changeView, saveView, removeView } from "@/lib/preferences/actions";
import type { SavedView } from "@/lib/preferences/queries";
import { VIEW_NAME_MAX } from "@/lib/preferences/view";
import type { ViewArea } from "@/lib/db/enums/preferences";

type ViewDialogProps = {
  area: ViewArea;
  search: string;
  plainHref: string;
  current: SavedView | null;
  onClose: () => void;
  onDone: (said: string) => void;
};

export function ViewDialog({ area, search, plainHref, current, onClose, onDone }: ViewDialogProps) {
  const t = useTranslations("views");
  const router = useRouter();
  const keeping = useAction(saveView);
  const changing = useAction(changeView);
  const removing = useAction(removeView);
  const [name, setName] = useState(current?.name ?? "");
  const [isDefault, setDefault] = useState(current?.isDefault ?? false);
  const [isChecked, setChecked] = useState(false);
  const failure = keeping.failure ?? changing.failure ?? removing.failure;
  const pending = keeping.pending || changing.pending || removing.pending;
  const error = isChecked && name.trim() === "" ? t("nameFirst") : failure?.fields?.["name"];

  const done = (said: string) => {
    router.refresh();
    onDone(said);
  };
  const submit = (form: HTMLFormElement, id: string) => {
    setChecked(true);
    if (name.trim() === "") return form.querySelector("input")?.focus();
    if (current === null) keeping.run({ id, area, name, search, isDefault }, () => done(t("kept", { name })));
    else changing.run({ id: current.id, name, isDefault }, () => done(t("changed", { name })));
  };
  const remove = ({ id, name: gone }: SavedView) =>
    removing.run({ id }, () => {
      router.push(plainHref);
      done(t("removed", { name: gone }));
    });

  return (
    <FormDialog
      title={current === null ? t("keepTitle") : t("changeTitle")}
      description={current === null ? t("keepBody") : t("changeBody")}
      submitLabel={t("submit")}
      pending={pending}
      error={failure}
      isWritten={name.trim() !== (current?.name ?? "")}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        label={t("name")}
        hint={t("nameHint")}
        error={error}
        value={name}
        maxLength={VIEW_NAME_MAX}
        autoComplete="off"
        onChange={(event) => setName(event.target.value)}
      />
      <label className="flex items-center gap-2">
        <input
          type="checkbox"
          checked={isDefault}
          onChange={(event) => setDefault(event.currentTarget.checked)}
          className="size-4 accent-accent"
        />
        {t("isDefault")}
      </label>
      {current === null ? null : (
        <Button tone="quiet" size="small" isBusy={pending} onClick={() => pending || remove(current)}>
          {t("remove")}
        </Button>
      )}
    </FormDialog>
  );
}
