import { z } from "zod";
import { Required } from "@/lib/contract/shared";
import { FilterDay, lenient } from "@/lib/text/filter";
import { isUuid } from "@/lib/text/decode";
import { ALARM_NOTE_MAX, BOUND_RANGES } from "./alarm-view";
import { NOTE_MAX_LENGTH, NOTE_MIN_LENGTH, REVEAL_FIELDS, REVEAL_PATH_MAX, type RevealTarget } from "./view";
import {
  CUSTOMER_KINDS,
  type CustomerKind,
  type CustomerObject,
  REVEAL_REASONS,
  type RevealReason,
} from "@/lib/db/enums/privacy";

const FIELDS: Readonly<Record<CustomerKind, readonly RevealTarget["field"][]>> = {
  account: ["document", "information"],
  onboarding: ["document"],
  kyc: ["document", "identity"],
};

/** The reason for seeing personal data. */
export const RevealReasoned = z.object({
  reason: z.enum(REVEAL_REASONS),
  note: z
    .string()
    .trim()
    .max(NOTE_MAX_LENGTH)
    .refine((note) => note.length >= NOTE_MIN_LENGTH, { params: { code: "too-short" } })
    .pipe(Required),
});

export const AlarmTaking = z.strictObject({ alarmId: z.uuid(), seen: z.string().max(100).nullable() });
export type AlarmTaking = z.output<typeof AlarmTaking>;

export const AlarmEnding = z.strictObject({ alarmId: z.uuid(), note: Required.max(ALARM_NOTE_MAX) });
export type AlarmEnding = z.output<typeof AlarmEnding>;

const bound = ({ least, most }: { least: number; most: number }) =>
  z.int().refine((value) => value >= least && value <= most, { params: { code: "bound", word: `${least}–${most}` } });

/** `version`: the one that the form was filled from. */
export const AlarmBoundsForm = z.strictObject({
  perHour: bound(BOUND_RANGES.perHour),
  timesMedian: bound(BOUND_RANGES.timesMedian),
  dayFloor: bound(BOUND_RANGES.dayFloor),
  version: z.int().min(0),
});
export type AlarmBoundsForm = z.output<typeof AlarmBoundsForm>;

export const AskingMore = z.strictObject({ intentId: z.uuid(), note: RevealReasoned.shape.note });
export type AskingMore = z.output<typeof AskingMore>;

/** Without a reason, the one that opened the record applies. */
export const maybeReasoned = {
  reason: RevealReasoned.shape.reason.nullable().default(null),
  note: RevealReasoned.shape.note.nullable().default(null),
};
export type MaybeReasoned = { reason: RevealReason | null; note: string | null };
export const isWholeReason = ({ reason, note }: MaybeReasoned): boolean => (reason === null) === (note === null);

/** Only a case started here has more than a document. */
export const Revealing = z
  .object({
    ...maybeReasoned,
    kind: z.enum(CUSTOMER_KINDS),
    id: Required.max(200),
    field: z.enum(REVEAL_FIELDS).default("document"),
    member: z.int().min(0).max(2).nullable().default(null),
    path: Required.max(REVEAL_PATH_MAX).nullable().default(null),
  })
  .refine(isWholeReason, { path: ["reason"] })
  .refine(({ kind, id }) => kind === "kyc" || isUuid(id), { path: ["id"] })
  .refine(({ field, path }) => (field === "information") === (path !== null), { path: ["path"] })
  .refine(({ kind, field, member }) => FIELDS[kind].includes(field) && (kind === "kyc" || member === null), {
    path: ["field"],
  });
export type Revealing = z.output<typeof Revealing>;

export const CustomerRecord = z.object({ kind: z.enum(CUSTOMER_KINDS).catch("kyc"), id: z.string().catch("") });
export type CustomerRecord = z.output<typeof CustomerRecord>;

/** São Paulo days, both included. */
export const AccessPeriod = z.object({ seenFrom: lenient(FilterDay), seenTo: lenient(FilterDay) });
export type AccessPeriod = z.output<typeof AccessPeriod>;

export const revealedObject = ({ kind, id }: { kind: CustomerKind; id: string }): CustomerObject => `${kind}:${id}`;
