import { useLocale, useTranslations } from "next-intl";
import { useState } from "react";
import { DeedDialog } from "@/app/(console)/staff/confirm-action-dialog";
import { cn, INPUT_CLASS } from "@/components/ui/cn";
import { FieldFrame, useField } from "@/components/ui/field";
import { disable } from "@/lib/staff/actions";
import type { PersonView } from "@/lib/staff/queries";
import { formatTime } from "@/lib/text/format";

type Person = { id: string; name: string };

type TakerProps = {
  label: string;
  hint?: string;
  none: string;
  people: readonly Person[];
  value: string;
  onChoose: (id: string) => void;
};

function Taker({ label, hint, none, people, value, onChoose }: TakerProps) {
  const field = useField({ hint, error: undefined });
  return (
    <FieldFrame id={field.id} label={label} hint={hint}>
      <select
        {...field}
        value={value}
        onChange={({ target }) => onChoose(target.value)}
        className={cn(INPUT_CLASS, "h-9 max-w-80")}
      >
        <option value="">{none}</option>
        {people.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </FieldFrame>
  );
}

const LEFT = ["requests", "cases", "deposits", "drafts", "views"] as const;

type Chosen = { cases: string; views: string };
type LeftBehindProps = { leaves: NonNullable<PersonView["leaves"]>; chosen: Chosen; onChoose: (to: Chosen) => void };

function LeftBehind({ leaves, chosen, onChoose }: LeftBehindProps) {
  const t = useTranslations("staff.leaves");
  const locale = useLocale();
  const left = LEFT.filter((what) => leaves[what] > 0);
  if (left.length === 0) return <p className="text-muted">{t("none")}</p>;
  return (
    <>
      <section aria-label={t("title")}>
        <h3 className="text-sm font-medium text-muted">{t("asOf", { time: formatTime(leaves.asOf, locale) })}</h3>
        <ul className="mt-1 list-disc space-y-0.5 ps-5">
          {left.map((what) => (
            <li key={what}>{t(what, { count: leaves[what] })}</li>
          ))}
        </ul>
      </section>
      {leaves.cases === 0 ? null : (
        <Taker
          label={t("casesTo")}
          none={t("toQueue")}
          people={leaves.deciders}
          value={chosen.cases}
          onChoose={(cases) => onChoose({ ...chosen, cases })}
        />
      )}
      {leaves.views === 0 ? null : (
        <Taker
          label={t("viewsTo")}
          hint={t("viewsHint")}
          none={t("toNobody")}
          people={leaves.colleagues}
          value={chosen.views}
          onChoose={(views) => onChoose({ ...chosen, views })}
        />
      )}
    </>
  );
}

type DisableDialogProps = {
  words: { title: string; body: string; submit: string };
  person: Pick<PersonView, "row" | "leaves">;
  onClose: () => void;
  onDone: (confirmation: string) => void;
};

const takerOf = (id: string) => (id === "" ? null : id);

export function DisableDialog({ words, person: { row, leaves }, onClose, onDone }: DisableDialogProps) {
  const t = useTranslations("staff");
  const [chosen, setChosen] = useState<Chosen>({ cases: "", views: "" });
  const { id: staffId, name } = row;
  return (
    <DeedDialog
      words={words}
      tone="negative"
      action={disable}
      inputOf={() => ({ staffId, cases: takerOf(chosen.cases), views: takerOf(chosen.views) })}
      onClose={onClose}
      onDone={({ cases, views }) =>
        onDone(
          chosen.cases === "" && chosen.views === ""
            ? t("disabledDone", { name })
            : t("disabledHanded", { name, cases, views }),
        )
      }
    >
      {leaves === null ? null : <LeftBehind leaves={leaves} chosen={chosen} onChoose={setChosen} />}
    </DeedDialog>
  );
}
