import { z } from "zod";
import { EXPOSURES } from "@/lib/db/enums/kyc";

const At = z.iso.datetime();
const Text = z.string();
const Hash = z.string().regex(/^[0-9a-f]{64}$/);
const Scalar = z.union([z.string(), z.number(), z.boolean(), z.null()]);

const Person = z.strictObject({ id: Text, name: Text });
const Checked = z.strictObject({ code: Text, text: Text, isChecked: z.boolean() });

/** As received. */
export const ProviderAnswer = z.strictObject({
  /** `before-sending`: read again right before the decision was sent. */
  use: z.enum(["before-sending"]),
  operation: Text,
  requestId: Text,
  askedAt: At,
  text: Text,
  /** Of the text in UTF-8. */
  sha256: Hash,
});
export type ProviderAnswer = z.infer<typeof ProviderAnswer>;

const Fields = z.record(z.string(), Scalar);

const Case = z.strictObject({
  kycUUID: Text,
  /** As the provider masks it. */
  document: Text,
  kycType: Text,
  process: Text,
  status: Text,
  webviewUrl: Text.nullable(),
  tags: z.array(Text),
  assignee: Person.nullable(),
  assignedAt: At.nullable(),
  firstSeenAt: At,
  changedAt: At,
  seenAt: At,
  waitingSince: At.nullable(),
  dueAt: At.nullable(),
  /** Missing in dossiers of an earlier version. */
  exposure: z.enum(EXPOSURES).nullable().default(null),
});

const Decision = z.strictObject({
  intentId: Text,
  decision: z.enum(["APPROVED", "REPROVED"]),
  reason: Text,
  reasonCode: Text.nullable(),
  /** For the team alone. */
  note: Text.nullable(),
  checklist: z.array(Checked),
  rulesVersion: z.int().nullable(),
  expected: z.strictObject({ status: Text, process: Text }),
});

const Participant = z.strictObject({
  part: z.enum(["decider", "proposer", "authoriser"]),
  id: Text,
  name: Text,
  roles: z.array(Text),
});

const Approval = z.strictObject({
  id: Text,
  policyVersion: z.int(),
  proposedAt: At,
  authorisedAt: At.nullable(),
});

const Subject = z.strictObject({
  startedBy: Person.nullable(),
  startedAt: At.nullable(),
  form: Fields,
  members: z.array(Fields),
});

const Related = z.strictObject({
  kind: z.enum(["kyc", "onboarding", "account"]),
  id: Text,
  /** Masked. */
  document: Text,
  status: Text.nullable(),
  /** `masked-document`: an equal mask, which may be another person's. */
  basis: z.enum(["document", "masked-document"]),
  since: At.nullable(),
});

const TimelineEntry = z.strictObject({
  at: At,
  kind: Text,
  /** Null: the provider or the system. */
  by: Person.nullable(),
  detail: Fields,
});

const EarlierDecision = z.strictObject({
  intentId: Text,
  decision: Text,
  reason: Text,
  note: Text.nullable(),
  by: Person,
  at: At,
  state: Text,
});

const Note = z.strictObject({ id: Text, by: Person, at: At, text: Text.nullable(), retractedAt: At.nullable() });

const File = z.strictObject({
  id: Text,
  name: Text,
  mediaType: Text,
  sizeBytes: z.int(),
  sha256: Hash,
  by: Person,
  at: At,
  removedAt: At.nullable(),
});

const Reveal = z.strictObject({ by: Person, at: At, reason: Text, note: Text });

/** Taken in the transaction that recorded the decision. */
export const Snapshot = z.strictObject({
  about: z.strictObject({ tenant: Text, tenantName: Text, environment: Text, object: Text, dossierId: Text }),
  frozenAt: At,
  case: Case.nullable(),
  decision: Decision,
  people: z.array(Participant),
  approval: Approval.nullable(),
  rules: z.strictObject({
    version: z.int(),
    slaHours: z.strictObject({ PF: z.number(), PJ: z.number() }),
    dueSoonHours: z.number(),
    stoppedWords: z.array(Text),
  }),
  subject: Subject.nullable(),
  related: z.array(Related),
  timeline: z.array(TimelineEntry),
  earlierDecisions: z.array(EarlierDecision),
  notes: z.array(Note),
  files: z.array(File),
  reveals: z.array(Reveal),
});
export type Snapshot = z.infer<typeof Snapshot>;

const Outcome = z.strictObject({
  state: z.enum(["DONE", "REFUSED", "UNKNOWN"]),
  status: z.int().nullable(),
  code: Text.nullable(),
  requestId: Text.nullable(),
  answerSha256: Hash.nullable(),
  attempts: z.int(),
  firstSentAt: At.nullable(),
  finishedAt: At.nullable(),
  foundBy: Text,
  sealedAt: At,
});
export type Outcome = z.infer<typeof Outcome>;

export const Contents = Snapshot.extend({ provider: z.array(ProviderAnswer), outcome: Outcome });
export type Contents = z.infer<typeof Contents>;

/** As stored, by any version. */
export const Sections = z.record(z.string(), z.json());
export type Sections = z.infer<typeof Sections>;

type StandingEntry = {
  name: "waits" | "reopened" | "putOff" | "escalated" | "unconfirmed";
  by: string | null;
  at: string;
};

/** A case as it is known when somebody asks, with every document and name masked. It is not stored. */
export type Standing = Pick<Snapshot, "subject" | "related" | "timeline"> & {
  about: Pick<Snapshot["about"], "tenantName" | "environment" | "object">;
  case: NonNullable<Snapshot["case"]>;
  isOpen: boolean;
  /** What the provider says of each process. */
  records: { process: string; status: string }[];
  /** What the case waits for, or came back from. */
  marks: StandingEntry[];
  decisions: Snapshot["earlierDecisions"];
  /** How many there are, where the reader may not read them. */
  notes: Snapshot["notes"] | number;
  files: Snapshot["files"] | number;
};
