import type { Contents } from "./contents";
import type { Paper } from "./pdf-page";
import { providerWord } from "@/lib/unknown";
import { listed, nameOf, type Reader, timeFor } from "./pdf-words";

const MONO = { face: "mono", size: 7.5 } as const;

type Writing = { paper: Paper; reader: Reader };

/** A heading and what stands under it, or that there is nothing. */
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

function writeNotes(writing: Writing, { notes, files }: Contents): void {
  const { paper, reader } = writing;
  const { say } = reader;
  section(writing, say("pdf.notes"), [
    notes,
    ({ by, at, text }) => paper.fact(`${timeFor(reader, at)}\n${nameOf(by)}`, text ?? say("pdf.retracted")),
  ]);
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

/** What came before the decision, and what it was decided upon. */
export function writeHistory(paper: Paper, contents: Contents, reader: Reader): void {
  const { say, kinds } = reader;
  const writing = { paper, reader };
  writeProvider(writing, contents);
  section(writing, say("pdf.related"), [
    contents.related,
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
  section(writing, say("pdf.timeline"), [
    contents.timeline,
    ({ at, kind, by, detail }) => {
      const lines = [kinds[kind] ?? kind, by === null ? null : nameOf(by), listed(detail)];
      paper.fact(timeFor(reader, at), lines.filter((line) => line !== null && line !== "").join("\n"));
    },
  ]);
  section(writing, say("pdf.earlier"), [
    contents.earlierDecisions,
    ({ decision, reason, note, by, at, state }) => {
      const lines = [`${decision} · ${state}`, reason, note === null ? null : `${say("pdf.note")}: ${note}`];
      paper.fact(`${timeFor(reader, at)}\n${nameOf(by)}`, lines.filter((line) => line !== null).join("\n"));
    },
  ]);
  writeNotes(writing, contents);
  writeReveals(writing, contents);
}
