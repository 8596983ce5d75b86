import { PAYLOADS } from "./payload-list";

/** What HTTP lets nobody send in a header. */
export const NOT_IN_HEADERS = PAYLOADS.flatMap((payload, place) => (/[^\P{Cc}\t]/u.test(payload) ? [place] : []));

/** So many payloads stand in one text, unless told otherwise; at least two texts, so that one is told from the next. */
const TOGETHER = Math.min(10, PAYLOADS.length / 2);
/** So many texts of a field say all of them. */
export const TEXTS = PAYLOADS.length / TOGETHER;

export type Carried = {
  /** Nothing but one payload: it is an address only where nothing stands before it. */
  isAddress?: boolean;
  /** How many payloads it carries. */
  count?: number;
  /** Where they begin; by default where the field's next text does. */
  turn?: number;
};

/** Which payloads were put into a field, and which of them were read. */
type Seen = { sent: Set<number>; read: Set<number>; isAddress: boolean };

const MARK = /q(\d+)z(\d+)q/g;
/** How far from its mark a payload may stand in what people read. */
const NEAR = 260;

const bare = (text: string) => text.replaceAll(/\s/g, "");

/** A payload as people see it: hidden signs have become names, blanks have been folded. */
const seenForm = (payload: string) =>
  bare(payload.split(/[\p{Cc}\p{Cf}]/u).toSorted((a, b) => b.length - a.length)[0] ?? "");

const SEEN_FORMS = PAYLOADS.map(seenForm);

/** An address that keeps what it does, with a mark behind it. */
function marked(payload: string, mark: string): string {
  if (/script:/i.test(payload)) return `${payload}//${mark}`;
  return payload.startsWith("data:text/html;base64") ? payload.replace(";", `;x=${mark};`) : `${payload}#${mark}`;
}

const missing = (had: ReadonlySet<number>) => PAYLOADS.flatMap((_, place) => (had.has(place) ? [] : [place]));

/** The payloads of one text: as far from each other as they can be, so that texts that follow each other have others. */
function positionsFrom(turn: number, count: number): [number, ...number[]] {
  const step = PAYLOADS.length / count;
  const [first = 0, ...others] = Array.from({ length: count }, (_, nth) => (turn + nth * step) % PAYLOADS.length);
  return [first, ...others];
}

/**
 * Every payload in every field, each with a mark that names the two: `q<field>z<payload>q`. Keeps which were sent in which
 * field, and which of these were read on a screen, the payload beside its mark.
 */
export function createMarks() {
  const names: string[] = [];
  const seen = new Map<string, Seen>();
  const turns = new Map<string, number>();

  function seenOf(field: string, isAddress = false): Seen {
    const known = seen.get(field);
    if (known !== undefined) return known;
    names.push(field);
    const fresh = { sent: new Set<number>(), read: new Set<number>(), isAddress };
    seen.set(field, fresh);
    return fresh;
  }

  const markOf = (field: string, place: number) => `q${names.indexOf(field)}z${place}q`;

  /** The text with its payloads. */
  function put(field: string, value: string, { isAddress = false, count, turn }: Carried = {}): string {
    const due = turns.get(field) ?? 0;
    if (turn === undefined) turns.set(field, due + 1);
    const places = positionsFrom(turn ?? due, isAddress ? 1 : (count ?? TOGETHER));
    const { sent } = seenOf(field, isAddress);
    for (const place of places) sent.add(place);
    if (isAddress) return marked(PAYLOADS[places[0]] ?? "", markOf(field, places[0]));
    return value + places.map((place) => `~${markOf(field, place)} ${PAYLOADS[place]}`).join("");
  }

  /** What the field's next text begins with. */
  function next(field: string): string {
    seenOf(field);
    return markOf(field, (turns.get(field) ?? 0) % PAYLOADS.length);
  }

  /** Notes whatever stands in a text that people read. */
  function read(text: string): void {
    const whole = bare(text);
    const found = [...whole.matchAll(MARK)];
    for (const [nth, { 0: mark, 1: field, 2: place, index }] of found.entries()) {
      const known = seen.get(names[Number(field)] ?? "");
      // Behind its mark, and before the next one; an address stands before it.
      const from = known?.isAddress === true ? Math.max(0, index - NEAR) : index;
      const to = known?.isAddress === true ? Number.POSITIVE_INFINITY : (found[nth + 1]?.index ?? whole.length);
      const near = whole.slice(from, Math.min(to, index + mark.length + NEAR));
      if (near.includes(SEEN_FORMS[Number(place)] ?? "")) known?.read.add(Number(place));
    }
  }

  /** By field: the places of the payloads that were not sent, of those that nobody read, and how many can never be sent. */
  const told = () =>
    names.map((field) => {
      const { sent, read: found } = seenOf(field);
      const unsendable = /\bheader\b/.test(field) ? NOT_IN_HEADERS.length : 0;
      return { field, unsendable, unsent: missing(sent), unread: missing(found) };
    });
  return { put, next, read, told };
}

export type Marks = ReturnType<typeof createMarks>;

/** The first payload that a marked text carries; null for one without a mark. */
export function targetIn(text: string): number | null {
  const [found] = text.matchAll(MARK);
  return found === undefined ? null : Number(found[2]);
}
