import type { KeyObject } from "node:crypto";
import type { getTranslations } from "next-intl/server";
import { Paper } from "@/lib/pdf/document";
import { formatDate, formatTime, type Locale } from "@/lib/text/format";
import { providerWord } from "@/lib/text/provider-word";
import english from "@/messages/en.json";
import portuguese from "@/messages/pt-BR.json";
import { Contents, type Standing } from "./contents";
import { DossierFile } from "./file";
import { signPages } from "./verify";

type Say = Printing["say"];
type Person = { name: string; id: string };

type Reader = {
  locale: Locale;
  say: Say;
  kinds: Readonly<Record<string, string>>;
  fields: Readonly<Record<string, string>>;
};

const WORDS = { "pt-BR": portuguese.dossiers, en: english.dossiers } as const satisfies Record<Locale, object>;

/** Another version may have written a name without words here. */
const wordsIn = (locale: Locale): Pick<Reader, "kinds" | "fields"> => {
  const { kinds, fields } = WORDS[locale];
  return { kinds, fields };
};

const timeFor = ({ locale }: Reader, iso: string): string => `${formatDate(iso, locale)} ${formatTime(iso, locale)}`;

const orNone = ({ say }: Reader, text: string | null): string =>
  text === null || text === "" ? say("pdf.none") : text;

const timeOrNone = (reader: Reader, iso: string | null): string =>
  iso === null ? reader.say("pdf.none") : timeFor(reader, iso);

const nameOf = ({ name, id }: Person): string => (name === "" ? id : name);

export const listedFields = (fields: Readonly<Record<string, string | number | boolean | null>>): string =>
  Object.entries(fields)
    .map(([name, value]) => `${name} ${providerWord(String(value))}`)
    .join(" · ");

const MONO = { face: "mono", size: 7.5 } as const;

type Writing = { paper: Paper; reader: Reader };

function section<Entry>(
  { paper, reader }: Writing,
  title: string,
  [entries, write]: [readonly Entry[], (entry: Entry) => void],
) {
  paper.heading(title);
  if (entries.length === 0) paper.paragraph(reader.say("pdf.none"));
  for (const entry of entries) write(entry);
}

function writeProvider(writing: Writing, { provider }: Contents): void {
  const { paper, reader } = writing;
  const { say } = reader;
  section(writing, say("pdf.provider"), [
    provider,
    ({ operation, requestId, askedAt, text, sha256 }) => {
      paper.fact(say("pdf.operation"), operation, MONO);
      paper.fact(say("pdf.askedAt"), timeFor(reader, askedAt));
      paper.fact(say("pdf.requestId"), requestId, MONO);
      paper.fact("SHA-256", sha256, MONO);
      paper.fact(say("pdf.answer"), text, MONO);
    },
  ]);
}

function writeCounted(writing: Writing, title: string, count: number): void {
  const { paper, reader } = writing;
  paper.heading(title);
  paper.paragraph(reader.say("pdf.hidden", { count }));
}

function writeNotes(writing: Writing, { notes, files }: Pick<Standing, "notes" | "files">): void {
  const { paper, reader } = writing;
  const { say } = reader;
  if (typeof notes === "number") writeCounted(writing, say("pdf.notes"), notes);
  else
    section(writing, say("pdf.notes"), [
      notes,
      ({ by, at, text }) => paper.fact(`${timeFor(reader, at)}\n${nameOf(by)}`, text ?? say("pdf.retracted")),
    ]);
  if (typeof files === "number") return writeCounted(writing, say("pdf.files"), files);
  section(writing, say("pdf.files"), [
    files,
    ({ name, mediaType, sizeBytes, sha256, by, at, removedAt }) => {
      const removed = removedAt === null ? "" : `\n${say("pdf.removed", { time: timeFor(reader, removedAt) })}`;
      paper.fact(`${timeFor(reader, at)}\n${nameOf(by)}`, `${name}\n${mediaType} · ${sizeBytes} B${removed}`);
      paper.fact("SHA-256", sha256, MONO);
    },
  ]);
}

function writeReveals(writing: Writing, { reveals }: Contents): void {
  const { paper, reader } = writing;
  section(writing, reader.say("pdf.reveals"), [
    reveals,
    ({ by, at, reason, note }) => paper.fact(`${timeFor(reader, at)}\n${nameOf(by)}`, `${reason}: ${note}`),
  ]);
}

type Titles = { timeline: string; decisions: string };
type History = Pick<Standing, "related" | "timeline" | "decisions" | "notes" | "files">;

function writeHistory(writing: Writing, history: History, titles: Titles): void {
  const { paper, reader } = writing;
  const { say, kinds } = reader;
  section(writing, say("pdf.related"), [
    history.related,
    ({ kind, id, document, status, basis, since }) => {
      const known = [
        status === null ? null : providerWord(status),
        since === null ? null : timeFor(reader, since),
        say(`pdf.basis.${basis}`),
      ];
      const standing = known.filter((one) => one !== null).join(" · ");
      paper.fact(say(`pdf.records.${kind}`), `${document}\n${id}\n${standing}`);
    },
  ]);
  section(writing, titles.timeline, [
    history.timeline,
    ({ at, kind, by, detail }) => {
      const lines = [kinds[kind] ?? kind, by === null ? null : nameOf(by), listedFields(detail)];
      paper.fact(timeFor(reader, at), lines.filter((line) => line !== null && line !== "").join("\n"));
    },
  ]);
  section(writing, titles.decisions, [
    history.decisions,
    ({ decision, reason, note, by, at, state }) => {
      const lines = [`${decision} · ${state}`, reason, note === null ? null : `${say("pdf.note")}: ${note}`];
      paper.fact(`${timeFor(reader, at)}\n${nameOf(by)}`, lines.filter((line) => line !== null).join("\n"));
    },
  ]);
  writeNotes(writing, history);
}

const SUMMARY_MONO = { face: "mono", size: 8 } as const;

function writeOutcome(paper: Paper, { outcome, people, approval, frozenAt }: Contents, reader: Reader): void {
  const { say } = reader;
  for (const { part, name, roles, id } of people) {
    const held = roles.length === 0 ? "" : ` (${roles.join(", ")})`;
    paper.fact(say(`pdf.parts.${part}`), `${name}${held}\n${id}`);
  }
  if (approval !== null) {
    paper.fact(say("pdf.proposedAt"), timeFor(reader, approval.proposedAt));
    paper.fact(say("pdf.authorisedAt"), timeOrNone(reader, approval.authorisedAt));
  }
  paper.fact(say("pdf.decidedAt"), timeFor(reader, frozenAt));
  paper.fact(say("pdf.outcome"), say(`pdf.outcomes.${outcome.state}`));
  if (outcome.status !== null) paper.fact(say("pdf.httpStatus"), `${outcome.status} ${outcome.code ?? ""}`.trim());
  else if (outcome.code !== null) paper.fact(say("pdf.code"), outcome.code);
  paper.fact(say("pdf.sentAt"), timeOrNone(reader, outcome.firstSentAt));
  paper.fact(say("pdf.finishedAt"), timeOrNone(reader, outcome.finishedAt));
  paper.fact(say("pdf.requestId"), orNone(reader, outcome.requestId), SUMMARY_MONO);
  paper.fact(say("pdf.answerHash"), orNone(reader, outcome.answerSha256), SUMMARY_MONO);
  paper.fact(say("pdf.sealedAt"), timeFor(reader, outcome.sealedAt));
}

function writeReasons(paper: Paper, { decision, rules }: Contents, reader: Reader): void {
  const { say } = reader;
  paper.heading(say("pdf.reason"));
  paper.paragraph(decision.reason);
  paper.quiet(say("pdf.reasonSent", { code: decision.reasonCode ?? say("pdf.none") }));
  paper.heading(say("pdf.note"));
  paper.paragraph(orNone(reader, decision.note));
  paper.heading(say("pdf.checklist"));
  if (decision.checklist.length === 0) paper.paragraph(say("pdf.none"));
  for (const { text, isChecked } of decision.checklist) {
    paper.fact(say(isChecked ? "pdf.checked" : "pdf.unchecked"), text);
  }
  paper.quiet(say("pdf.rules", { version: rules.version, pf: rules.slaHours.PF, pj: rules.slaHours.PJ }));
}

const idOf = (object: string): string => object.replace(/^[a-z]+:/, "");

type Case = Pick<Contents, "case"> & { object: string; expected: Contents["decision"]["expected"] | null };

function writeCase({ paper, reader }: Writing, title: string, { case: shown, object, expected }: Case): void {
  const { say } = reader;
  paper.heading(title);
  paper.fact("kycUUID", idOf(object), SUMMARY_MONO);
  if (shown === null) return;
  paper.fact(say("pdf.document"), shown.document);
  paper.fact("kycType", providerWord(shown.kycType));
  paper.fact("status", providerWord(shown.status));
  paper.fact("process", providerWord(shown.process));
  if (expected !== null) paper.fact(say("pdf.expected"), listedFields(expected));
  paper.fact(say("pdf.asOf"), timeFor(reader, shown.seenAt));
  paper.fact(say("pdf.firstSeen"), timeFor(reader, shown.firstSeenAt));
  paper.fact(say("pdf.changed"), timeFor(reader, shown.changedAt));
  paper.fact(say("pdf.due"), timeOrNone(reader, shown.dueAt));
  paper.fact(say("pdf.assignee"), shown.assignee === null ? say("pdf.none") : nameOf(shown.assignee));
  paper.fact(say("pdf.tags"), orNone(reader, shown.tags.join(", ")));
  if (shown.exposure !== null) paper.fact(say("pdf.exposed"), say(`pdf.exposures.${shown.exposure}`));
  paper.fact("webviewUrl", orNone(reader, shown.webviewUrl), SUMMARY_MONO);
}

function inOrderOf<Value>(order: Reader["fields"], given: Readonly<Record<string, Value>>): [string, Value][] {
  const names = Object.keys(order);
  const positionOf = (name: string) => (names.includes(name) ? names.indexOf(name) : names.length);
  return Object.entries(given).toSorted(([one], [other]) => positionOf(one) - positionOf(other));
}

function writeSubject({ paper, reader }: Writing, { subject }: Pick<Standing, "subject">): void {
  const { say, fields } = reader;
  paper.heading(say("pdf.subject"));
  if (subject === null) {
    paper.paragraph(say("pdf.noSubject"));
    return;
  }
  const line = (name: string, value: string | number | boolean | null) =>
    paper.fact(fields[name] ?? name, value === null ? say("pdf.none") : String(value));
  for (const [name, value] of inOrderOf(fields, subject.form)) line(name, value);
  if (subject.startedBy !== null) line("startedBy", nameOf(subject.startedBy));
  line("startedAt", timeOrNone(reader, subject.startedAt));
  for (const [index, member] of subject.members.entries()) {
    paper.space();
    paper.quiet(say("pdf.member", { number: index + 1 }));
    for (const [name, value] of inOrderOf(fields, member)) line(name, value);
  }
}

function writeDecided(writing: Writing, contents: Contents): void {
  const { paper, reader } = writing;
  const { say } = reader;
  const { about, decision, earlierDecisions } = contents;
  const { object } = about;
  const environment = `${about.tenantName} · ${about.environment}`;
  paper.title(say("pdf.title"), `${say(`pdf.decisions.${decision.decision}`)} · ${environment}`);
  paper.heading(say("pdf.decision"));
  paper.fact(say("pdf.decision"), say(`pdf.decisions.${decision.decision}`), { face: "bold" });
  writeOutcome(paper, contents, reader);
  paper.fact(say("pdf.dossierId"), about.dossierId, SUMMARY_MONO);
  paper.fact(say("pdf.intentId"), decision.intentId, SUMMARY_MONO);
  writeReasons(paper, contents, reader);
  writeCase(writing, say("pdf.case"), { ...contents, object, expected: decision.expected });
  writeSubject(writing, contents);
  writeProvider(writing, contents);
  const titles = { timeline: say("pdf.timeline"), decisions: say("pdf.earlier") };
  writeHistory(writing, { ...contents, decisions: earlierDecisions }, titles);
  writeReveals(writing, contents);
}

function writeStanding(writing: Writing, standing: Standing): void {
  const { paper, reader } = writing;
  const { say } = reader;
  const { about, isOpen, case: shown, records, marks } = standing;
  const time = timeFor(reader, shown.seenAt);
  const known = say(isOpen ? "pdf.openAsKnown" : "pdf.decidedAsKnown", { time });
  paper.title(say("pdf.caseTitle"), `${known} · ${about.tenantName} · ${about.environment}`);
  writeCase(writing, say("pdf.caseNow"), { case: shown, object: about.object, expected: null });
  for (const { process, status } of records) paper.fact(providerWord(process), providerWord(status));
  for (const { name, by, at } of marks) {
    paper.fact(say(`pdf.marks.${name}`), [timeFor(reader, at), by].filter((part) => part !== null).join("\n"));
  }
  writeSubject(writing, standing);
  writeHistory(writing, standing, { timeline: say("pdf.timelineNow"), decisions: say("pdf.decisionsNow") });
}

type Printing = {
  say: Awaited<ReturnType<typeof getTranslations<"dossiers">>>;
  locale: Reader["locale"];
  printedAt: Date;
};

/** `text`: a sealed dossier. `standing`: a case as it is known now. */
type Printed = { text: string; key: KeyObject } | { standing: Standing };

/** Names the case and no person. */
export const fileNameOf = (object: string, ending: "json" | "pdf", name: "dossier" | "case" = "dossier"): string =>
  `${name}-${object.replaceAll(/[^A-Za-z0-9-]+/g, "-")}.${ending}`;

const open = (
  { say, locale, printedAt }: Printing,
  title: string,
  footer: (place: Record<"page" | "pages", number>) => string,
) =>
  Paper.open({
    title,
    language: locale,
    printedAt,
    footer: (page, pages) => footer({ page, pages: pages ?? page }),
  }).then((paper): Writing => ({ paper, reader: { locale, say, ...wordsIn(locale) } }));

async function printDossier(printing: Printing, { text, key }: Extract<Printed, { text: string }>): Promise<Buffer> {
  const { say } = printing;
  const { contents: sections, seal } = DossierFile.parse(JSON.parse(text));
  const contents = Contents.parse(sections);
  const { object } = contents.about;
  const writing = await open(
    printing,
    say("pdf.title"),
    (place) => `${say("pdf.footer", { id: idOf(object), ...place })}\n${say("pdf.footerHash", { hash: seal.sha256 })}`,
  );
  const { paper } = writing;
  writeDecided(writing, contents);
  paper.heading(say("pdf.seal"));
  paper.fact(say("pdf.hash"), seal.sha256, { face: "mono", size: 8 });
  paper.fact(say("pdf.publicKey"), seal.publicKey, { face: "mono", size: 8 });
  paper.fact(say("pdf.signature"), seal.signature, { face: "mono", size: 8 });
  paper.paragraph(say("pdf.howToVerify"));
  paper.attach(fileNameOf(object, "json"), text);
  return signPages(await paper.end(), key);
}

async function printStanding(printing: Printing, standing: Standing): Promise<Buffer> {
  const { say, printedAt } = printing;
  const { object } = standing.about;
  const title = say("pdf.caseTitle");
  const writing = await open(printing, title, (place) => say("pdf.footer", { id: idOf(object), ...place }));
  writeStanding(writing, standing);
  writing.paper.space();
  writing.paper.quiet(say("pdf.unsealed", { time: timeFor(writing.reader, printedAt.toISOString()) }));
  return writing.paper.end();
}

/** Tagged, with its fonts; a dossier is signed besides, with the file itself attached. */
export const printCase = (printed: Printed & Printing): Promise<Buffer> =>
  "text" in printed ? printDossier(printed, printed) : printStanding(printed, printed.standing);
