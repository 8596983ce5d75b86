import { maskDocument } from "@/lib/contract/document";
import { isUnopened } from "@/lib/unopened";
import type { Member, StartedCase, Subject } from "./started";

/** Whoever a case is about as screens show it; each part in clear only by a reveal. */
export type SubjectView = {
  /** Masked. */
  document: string;
  /** The first letters of the names. */
  name: string;
  /** The year alone, and the first letters of the mother's names; null of a company. */
  birthYear: string | null;
  motherName: string | null;
};
export type MemberView = SubjectView & { ownerType: Member["ownerType"] };

export type StartView = Pick<StartedCase, "model" | "documentscopy" | "isRepeat"> & {
  byName: string;
  /** ISO. */
  at: string;
  subject: SubjectView;
  members: MemberView[];
};

/** `Maria Aparecida dos Santos`: `M••• A••• d••• S•••`, however long each is. */
export const initialsOf = (name: string): string =>
  isUnopened(name)
    ? name
    : name
        .trim()
        .split(/\s+/)
        .map((word) => `${Array.from(word)[0] ?? ""}•••`)
        .join(" ");

const viewOf = ({ vatNumber, name, birthDate, motherName }: Subject): SubjectView => ({
  document: isUnopened(vatNumber) ? vatNumber : maskDocument(vatNumber),
  name: initialsOf(name),
  birthYear: birthDate?.slice(-4) ?? null,
  motherName: motherName === null ? null : initialsOf(motherName),
});

/** What is known of how a case was started, as screens show it. */
export function startView(start: StartedCase): StartView {
  const { model, documentscopy, isRepeat, startedBy, startedAt, subject, members } = start;
  return {
    model,
    documentscopy,
    isRepeat,
    byName: startedBy.name,
    at: startedAt.toISOString(),
    subject: viewOf(subject),
    members: members.map(({ ownerType, ...member }) => ({ ownerType, ...viewOf(member) })),
  };
}
