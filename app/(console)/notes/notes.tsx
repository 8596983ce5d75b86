import { Icon } from "@/components/ui/icons";
import { getLocale, getTranslations } from "next-intl/server";
import { PersonName } from "@/components/layout/person-name";
import { RecordSection } from "@/components/layout/record-columns";
import { SealedText } from "@/components/layout/provider-text";
import { buttonClass } from "@/components/ui/button";
import { DeniedButton } from "@/components/ui/denied-button";
import type { Action } from "@/lib/action";
import { type NewNote, type Note, type OneNote } from "@/lib/notes/view";
import { formatDateTime } from "@/lib/text/format";
import { RetractButton, NoteForm } from "./note-actions";

type NotesProps = {
  id: string;
  notes: readonly Note[];
  denial: string | null;
  heldReason: string | null;
  hint?: string;
  add: Action<NewNote, null>;
  retract: Action<OneNote, null>;
};

export async function Notes({ id, notes, denial, heldReason, hint, add, retract }: NotesProps) {
  const t = await getTranslations("casework");
  return (
    <RecordSection id="notes" title={t("notes")} empty={notes.length === 0 ? t("noNotes") : null}>
      <div className="border-y border-line">
        {denial === null ? <NoteForm key={id} id={id} add={add} /> : <p className="px-5 py-3 text-muted">{denial}</p>}
        <ol aria-label={t("notes")} className="divide-y divide-line border-line not-empty:border-t">
          {notes.map((note) => (
            <NoteItem
              key={note.id}
              recordId={id}
              note={note}
              heldReason={heldReason}
              retract={denial === null ? retract : null}
            />
          ))}
        </ol>
      </div>
      <p className="px-5 pt-2 text-sm text-muted">{hint ?? t("notesHint")}</p>
    </RecordSection>
  );
}

type NoteItemProps = { recordId: string; note: Note; heldReason: string | null; retract: Action<OneNote, null> | null };

async function NoteItem({ recordId, note, heldReason, retract }: NoteItemProps) {
  const [t, locale] = await Promise.all([getTranslations("casework"), getLocale()]);
  const at = formatDateTime(note.at, locale);
  return (
    <li className="px-5 py-3">
      <div className="flex flex-wrap items-baseline gap-x-3">
        <span className="font-medium">
          <PersonName name={note.byName} you={note.isMine ? t("you") : null} />
        </span>
        <time dateTime={note.at} className="text-sm text-muted tabular-nums">
          {at}
        </time>
      </div>
      {note.text === null ? (
        <p className="mt-1 flex items-center gap-1.5 text-sm text-muted">
          <Icon of="undo-2" size={13} className="shrink-0" />
          {t("retracted", { time: formatDateTime(note.retractedAt ?? note.at, locale) })}
        </p>
      ) : (
        <p className="mt-1 max-w-prose break-words whitespace-pre-line">
          <SealedText text={note.text} />
        </p>
      )}
      {retract === null || note.retractableUntil === null ? null : heldReason !== null ? (
        <DeniedButton reason={heldReason} className={buttonClass("quiet", "small")}>
          {t("retract")}
        </DeniedButton>
      ) : (
        <RetractButton id={recordId} noteId={note.id} at={at} retract={retract} />
      )}
    </li>
  );
}
