import { providerWord } from "@/lib/unknown";
import type { Contents } from "./contents";
import type { Paper } from "./pdf-page";
import { listed, nameOf, orNone, type Reader, timeFor, timeOrNone } from "./pdf-words";

const MONO = { face: "mono", size: 8 } as const;

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
  paper.fact(say("pdf.requestId"), orNone(reader, outcome.requestId), MONO);
  paper.fact(say("pdf.answerHash"), orNone(reader, outcome.answerSha256), MONO);
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

function writeCase(paper: Paper, { case: shown, decision, about }: Contents, reader: Reader): void {
  const { say } = reader;
  paper.heading(say("pdf.case"));
  paper.fact("kycUUID", about.object.replace(/^[a-z]+:/, ""), MONO);
  if (shown === null) return;
  paper.fact(say("pdf.document"), shown.document);
  paper.fact("kycType", providerWord(shown.kycType));
  paper.fact("status", providerWord(shown.status));
  paper.fact("process", providerWord(shown.process));
  paper.fact(say("pdf.expected"), listed(decision.expected));
  paper.fact(say("pdf.asOf"), timeFor(reader, shown.seenAt));
  paper.fact(say("pdf.firstSeen"), timeFor(reader, shown.firstSeenAt));
  paper.fact(say("pdf.changed"), timeFor(reader, shown.changedAt));
  paper.fact(say("pdf.due"), timeOrNone(reader, shown.dueAt));
  paper.fact(say("pdf.assignee"), shown.assignee === null ? say("pdf.none") : nameOf(shown.assignee));
  paper.fact(say("pdf.tags"), orNone(reader, shown.tags.join(", ")));
  paper.fact("webviewUrl", orNone(reader, shown.webviewUrl), MONO);
}

/** As a form asks for them, and not as a file sorts them. */
function inOrderOf<Value>(order: Reader["fields"], given: Readonly<Record<string, Value>>): [string, Value][] {
  const names = Object.keys(order);
  const placeOf = (name: string) => (names.includes(name) ? names.indexOf(name) : names.length);
  return Object.entries(given).toSorted(([one], [other]) => placeOf(one) - placeOf(other));
}

function writeSubject(paper: Paper, { subject }: Contents, reader: Reader): void {
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

/** What was decided, by whom, why and upon what. */
export function writeSummary(paper: Paper, contents: Contents, reader: Reader): void {
  const { say } = reader;
  const { about, decision } = contents;
  const environment = `${about.tenantName} · ${about.environment}`;
  paper.title(say("pdf.title"), `${say(`pdf.decisions.${decision.decision}`)} · ${environment}`);
  paper.heading(say("pdf.decision"));
  paper.fact(say("pdf.decision"), say(`pdf.decisions.${decision.decision}`), { face: "bold" });
  writeOutcome(paper, contents, reader);
  paper.fact(say("pdf.dossierId"), about.dossierId, MONO);
  paper.fact(say("pdf.intentId"), decision.intentId, MONO);
  writeReasons(paper, contents, reader);
  writeCase(paper, contents, reader);
  writeSubject(paper, contents, reader);
}
