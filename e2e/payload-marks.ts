import { PAYLOADS } from "./payload-list";

/** What HTTP lets nobody send in a header. */
export const NOT_IN_HEADERS = PAYLOADS.flatMap((payload, place) => (/[^\P{Cc}\t]/u.test(payload) ? [place] : []));

/** Which payloads were put into a field, and which of them were read. */
type Seen = { sent: Set<number>; read: Set<number> };

const MARK = /q(\d+)z(\d+)q/g;
/** How far from its mark a payload may stand in what people read. */
const NEAR = 260;

const bare = (text: string) => text.replaceAll(/\s/g, "");

/** A payload as people see it: hidden signs have become names, blanks have been folded. */
const seenForm = (payload: string) =>
  bare(payload.split(/[\p{Cc}\p{Cf}]/u).toSorted((a, b) => b.length - a.length)[0] ?? "");

/** An address that keeps what it does, with a mark behind it. */
function marked(payload: string, mark: string): string {
  if (/script:/i.test(payload)) return `${payload}//${mark}`;
  return payload.startsWith("data:text/html;base64") ? payload.replace(";", `;x=${mark};`) : `${payload}#${mark}`;
}

const missing = (had: ReadonlySet<number>) => PAYLOADS.flatMap((_, place) => (had.has(place) ? [] : [place]));

/**
 * Every payload in every field, each with a mark that names the two: `q<field>z<payload>q`. Keeps which were sent in which
 * field, and which of these were read on a screen, the payload beside its mark.
 */
export function createMarks() {
  const names: string[] = [];
  const seen = new Map<string, Seen>();
  const turns = new Map<string, number>();

  function seenOf(field: string): Seen {
    const known = seen.get(field);
    if (known !== undefined) return known;
    names.push(field);
    const fresh = { sent: new Set<number>(), read: new Set<number>() };
    seen.set(field, fresh);
    return fresh;
  }

  /** The text with that payload, by default with the field's next one. An address is nothing but the payload. */
  function put(field: string, value: string, { isAddress = false, turn = -1 } = {}): string {
    const next = turns.get(field) ?? 0;
    if (turn < 0) turns.set(field, next + 1);
    const place = (turn < 0 ? next : turn) % PAYLOADS.length;
    seenOf(field).sent.add(place);
    const [payload = "", mark] = [PAYLOADS[place], `q${names.indexOf(field)}z${place}q`];
    return isAddress ? marked(payload, mark) : `${value}~${mark} ${payload}`;
  }

  /** Notes whatever stands in a text that people read. */
  function read(text: string): void {
    const whole = bare(text);
    for (const { 0: mark, 1: field, 2: place, index } of whole.matchAll(MARK)) {
      const near = whole.slice(Math.max(0, index - NEAR), index + mark.length + NEAR);
      const payload = PAYLOADS[Number(place)] ?? "";
      if (near.includes(seenForm(payload))) seen.get(names[Number(field)] ?? "")?.read.add(Number(place));
    }
  }

  /** By field: the places of the payloads that were not sent, of those that nobody read, and how many can never be sent. */
  const told = () =>
    names.map((field) => {
      const { sent, read: found } = seenOf(field);
      const unsendable = field.startsWith("webhook.header") ? NOT_IN_HEADERS.length : 0;
      return { field, unsendable, unsent: missing(sent), unread: missing(found) };
    });
  return { put, read, told };
}

export type Marks = ReturnType<typeof createMarks>;

/** The payload that a marked text carries; null for one without a mark. */
export function placeIn(text: string): number | null {
  const [found] = text.matchAll(MARK);
  return found === undefined ? null : Number(found[2]);
}
