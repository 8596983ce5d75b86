import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { getLocale, getTranslations } from "next-intl/server";
import { record } from "@/lib/audit/record";
import { providerWord } from "@/lib/text/provider-word";
import { db } from "@/lib/db/connection";
import type { Standing } from "@/lib/dossiers/contents";
import { fileNameOf, printCase } from "@/lib/dossiers/pdf";
import { AppError } from "@/lib/errors/app-error";
import type { Actor } from "@/lib/permission/grant";
import type { Download } from "@/lib/query";
import { env } from "@/lib/settings/env";
import type { StartView, SubjectView } from "@/lib/db/started-case";
import { isFinal } from "./case-state";
import { listRelated } from "./evidence";
import type { KycRow } from "./queue";
import { type KycCaseView, readCase, readCaseTimeline, type TimelineEntry } from "./read-case";

const MAX = 2_000;
const MAX_TRIES = 5;

async function wholeTimeline(actor: Actor<"kyc:read">, kycUUID: string): Promise<TimelineEntry[]> {
  const entries: TimelineEntry[] = [];
  let before: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof readCaseTimeline>> = await readCaseTimeline(actor, kycUUID, {
      show: "all",
      before,
    });
    entries.push(...(page?.entries ?? []));
    before = page?.older ?? null;
  } while (before !== null && entries.length < MAX);
  return entries.toReversed();
}

const named = (name: string) => ({ id: "", name });

const entryOf = ({ at, kind, byName, otherName, detail }: TimelineEntry): Standing["timeline"][number] => ({
  at,
  kind,
  by: byName === null ? null : named(byName),
  detail: otherName === null ? { ...detail } : { ...detail, [kind === "taken-over" ? "from" : "to"]: otherName },
});

const fieldsOf = ({ document, name, birthYear, motherName }: SubjectView) => ({
  vatNumber: document,
  name,
  birthDate: birthYear,
  motherName,
});

function subjectOf({ byName, at, subject, members, model, ...started }: StartView): NonNullable<Standing["subject"]> {
  return {
    startedBy: named(byName),
    startedAt: at,
    form: { ...started, backgroundcheckModel: model, ...fieldsOf(subject) },
    members: members.map(({ ownerType, ...member }) => ({ ownerType, ...fieldsOf(member) })),
  };
}

function marksOf({ pendingApproval, reopened, putOff, escalation, unconfirmed }: KycRow): Standing["marks"] {
  return [
    ...(pendingApproval === null
      ? []
      : [{ name: "waits" as const, by: pendingApproval.makerName, at: pendingApproval.at }]),
    ...(unconfirmed === null ? [] : [{ name: "unconfirmed" as const, by: unconfirmed.byName, at: unconfirmed.at }]),
    ...(reopened === null ? [] : [{ name: "reopened" as const, by: null, at: reopened.at }]),
    ...(putOff === null || putOff.back !== null
      ? []
      : [{ name: "putOff" as const, by: putOff.byName, at: putOff.until }]),
    ...(escalation === null ? [] : [{ name: "escalated" as const, by: escalation.byName, at: escalation.at }]),
  ];
}

function caseworkOf({ casework }: KycCaseView): Pick<Standing, "notes" | "files"> {
  if (!casework.isReadable) return { notes: casework.notes, files: casework.files };
  return {
    notes: casework.notes.map(({ id, byName, ...note }) => ({
      id,
      by: named(byName),
      at: note.at,
      text: note.text,
      retractedAt: note.retractedAt,
    })),
    files: casework.files.map(({ id, name, mediaType, sizeBytes, sha256, byName, at, removed }) => ({
      id,
      name,
      mediaType,
      sizeBytes,
      sha256,
      by: named(byName),
      at,
      removedAt: removed?.at ?? null,
    })),
  };
}

function standingOf(found: KycCaseView, timeline: readonly TimelineEntry[], tenant: string): Standing {
  const { row, asOf, records, webviews, start, related, decisions } = found;
  const company = env().tenants.find(({ clientId }) => clientId === tenant);
  const { kycUUID, vatNumber, tags, assignee, assignedAt, firstSeenAt, changedAt, waitingSince, dueAt, exposure } = row;
  const links = webviews.map(({ vatNumber: whose, host }) => (whose === null ? host : `${whose} ${host}`));
  return {
    about: { tenantName: company?.name ?? tenant, environment: company?.environment ?? "", object: `kyc:${kycUUID}` },
    case: {
      kycUUID,
      document: vatNumber,
      kycType: providerWord(row.kycType),
      process: providerWord(row.process),
      status: providerWord(row.status),
      webviewUrl: links.length === 0 ? null : links.join("\n"),
      tags,
      assignee,
      assignedAt,
      firstSeenAt,
      changedAt,
      seenAt: asOf,
      waitingSince,
      dueAt,
      exposure,
    },
    isOpen: !isFinal(row.status),
    records: records.map(({ process, status }) => ({ process: providerWord(process), status: providerWord(status) })),
    marks: marksOf(row),
    subject: start === null ? null : subjectOf(start),
    related: listRelated(related),
    timeline: timeline.map(entryOf),
    decisions: decisions.map(({ intentId, decision, reason, note, byName, at, state }) => ({
      intentId,
      decision,
      reason,
      note,
      by: named(byName),
      at,
      state,
    })),
    ...caseworkOf(found),
  };
}

type Read = { found: KycCaseView; timeline: TimelineEntry[] };

/** Of one moment: what happens to the case while it is read is on its timeline, and has it read again. Null for an unknown id. */
async function readWhole(actor: Actor<"kyc:read">, kycUUID: string): Promise<Read | null> {
  let before = await wholeTimeline(actor, kycUUID);
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const found = await readCase(actor, kycUUID);
    if (found === null) return null;
    const timeline = await wholeTimeline(actor, kycUUID);
    if (isDeepStrictEqual(timeline, before)) return { found, timeline };
    before = timeline;
  }
  throw new AppError("conflict");
}

async function* whole(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/** The case as its page shows it to this person, masked as there. Audited before it is returned. Throws not-found, and conflict where it never stood still. */
export async function exportCase(actor: Actor<"kyc:read">, kycUUID: string): Promise<Download<Uint8Array>> {
  const read = await readWhole(actor, kycUUID);
  if (read === null) throw new AppError("not-found", { code: "kyc-case" });
  const { found, timeline } = read;
  const { tenant, id: staffId } = actor;
  const standing = standingOf(found, timeline, tenant);
  const { object } = standing.about;
  const [say, locale] = await Promise.all([getTranslations("dossiers"), getLocale()]);
  const bytes = await printCase({ standing, say, locale, printedAt: new Date(found.now) });
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  const detail = { format: "pdf", status: standing.case.status, seenAt: found.asOf, sha256 };
  await record(await db(), {
    tenant,
    actor: staffId,
    code: "kyc.export-case",
    outcome: "DONE",
    object: `kyc:${kycUUID}`,
    detail,
  });
  return { fileName: fileNameOf(object, "pdf", "case"), contentType: "application/pdf", parts: whole(bytes) };
}
