"use client";

import { useQuery } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useLocale, useTranslations } from "next-intl";
import { useEffect, useRef, useState } from "react";
import { ChoiceField } from "@/components/ui/choice-field";
import { useStaffId } from "@/components/session/scope";
import { FormDialog } from "@/components/form/form-dialog";
import { useAction } from "@/components/session/use-action";
import { useRead } from "@/components/session/use-read";
import { Notice } from "@/components/ui/notice";
import { Skeleton } from "@/components/ui/skeleton";
import { formatDateTime } from "@/lib/text/format";
import { assignCase } from "@/lib/kyc/actions";
import type { Assignee, KycRow } from "@/lib/kyc/queries";

const NOBODY = "nobody";

type AssignDialogProps = { subject: KycRow; onClose: () => void; onDone: (sentence: string) => void };

export function AssignDialog({ subject, onClose, onDone }: AssignDialogProps) {
  const t = useTranslations("triage.assign");
  const router = useRouter();
  const read = useRead();
  const { pending, failure, run } = useAction(assignCase);
  const [chosen, setChosen] = useState<string | null>(null);
  const [isChecked, setChecked] = useState(false);
  const people = useQuery({
    queryKey: ["assignees"],
    gcTime: 0,
    queryFn: ({ signal }) => read<Assignee[]>("/api/kyc/assignees", signal),
    retry: 1,
  });
  const { kycUUID, vatNumber, assignee } = subject;

  const submit = (form: HTMLFormElement) => {
    setChecked(true);
    if (chosen === null) {
      form.querySelector<HTMLElement>("input:not(:disabled)")?.focus();
      return;
    }
    const to = chosen === NOBODY ? null : chosen;
    run({ kycUUID, to, from: assignee?.id ?? null }, () => {
      const name = people.data?.find(({ id }) => id === to)?.name ?? "";
      onDone(to === null ? t("unassigned", { document: vatNumber }) : t("done", { document: vatNumber, name }));
      router.refresh();
    });
  };

  return (
    <FormDialog
      title={t("title")}
      description={t("body", { document: vatNumber })}
      submitLabel={t("submit")}
      pending={pending}
      error={failure}
      isWritten={false}
      onSubmit={submit}
      onClose={onClose}
    >
      {people.isPending ? <Skeleton className="h-24" /> : null}
      {people.isError ? <Notice tone="negative">{t("notRead")}</Notice> : null}
      {people.data ? (
        <PeopleChoice
          people={people.data}
          holder={assignee?.id ?? null}
          chosen={chosen}
          error={isChecked && chosen === null ? t("chooseFirst") : undefined}
          onChoose={setChosen}
        />
      ) : null}
    </FormDialog>
  );
}

type PeopleChoiceProps = {
  people: readonly Assignee[];
  holder: string | null;
  chosen: string | null;
  error: string | undefined;
  onChoose: (id: string) => void;
};

function PeopleChoice({ people, holder, chosen, error, onChoose }: PeopleChoiceProps) {
  const t = useTranslations("triage.assign");
  const locale = useLocale();
  const me = useStaffId();
  const choices = [
    ...people.map(({ id, name, awayUntil }) => ({
      id,
      name: id === me ? t("yourself", { name }) : name,
      note: awayUntil === null ? null : t("away", { time: formatDateTime(awayUntil, locale) }),
      isDisabled: id === holder || (awayUntil !== null && id !== me),
      hasIt: id === holder,
    })),
    ...(holder === null ? [] : [{ id: NOBODY, name: t("nobody"), note: null, isDisabled: false, hasIt: false }]),
  ];
  // Rendered once read: focus goes to the first choice.
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => list.current?.querySelector<HTMLElement>("input:not(:disabled)")?.focus(), []);
  return (
    <ChoiceField legend={t("who")} error={error}>
      <div ref={list} className="max-h-72 divide-y divide-line overflow-y-auto rounded border border-control">
        {choices.map(({ id, name, note, isDisabled, hasIt }) => (
          <label
            key={id}
            className="flex items-center gap-2.5 px-3 py-2 has-checked:bg-accent-tint has-disabled:text-faint has-focus-visible:outline-2 has-focus-visible:-outline-offset-2 has-focus-visible:outline-accent"
          >
            <input
              type="radio"
              name="assignee"
              value={id}
              checked={chosen === id}
              disabled={isDisabled}
              onChange={() => onChoose(id)}
              className="accent-accent"
            />
            <span className="min-w-0 flex-1 truncate">{name}</span>
            {note === null && !hasIt ? null : <span className="text-sm">{hasIt ? t("hasIt") : note}</span>}
          </label>
        ))}
      </div>
    </ChoiceField>
  );
}
