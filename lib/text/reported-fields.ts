import { LosslessNumber } from "lossless-json";
import { formatDocument, isCnpj, isCpf, maskWithin } from "@/lib/contract/document";
import { normaliseDocument } from "@/lib/contract/fold";
import { stringifyJson } from "@/lib/contract/json";
import { plainName } from "@/lib/contract/open-answer";
import { maskName } from "./masks";
import { isoOf } from "./read-time";
import { HIDDEN, isWebAddress, isSecret, shownValue } from "./shown-body";
import { folded } from "./typed";

type Masking = "open" | "time" | "name" | "date" | "document" | "email" | "phone" | "address" | "hidden";

export type KnownFields<Name extends string> = Readonly<Record<Name, { aliases: readonly string[]; as: Masking }>>;

export type ReportedField<Name extends string> = {
  name: Name | null;
  path: string;
  text: string;
  isMasked: boolean;
  /** A readable `time` is in ISO. */
  kind: "text" | "link" | "time";
  entry: string | null;
};

type Clear<Name extends string> = ReportedField<Name> & { clear: string };
type FieldPath = { path: string; key: string; entry: string | null };

/** An object may have a field called `toString` that is no function. */
const textOf = (value: unknown): string => {
  if (value instanceof LosslessNumber) return value.value.trim();
  return typeof value === "object" && value !== null ? stringifyJson(value) : String(value).trim();
};

const isObject = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !(value instanceof LosslessNumber);

const isNothing = (value: unknown): boolean =>
  value === null || value === undefined || (isObject(value) ? Object.keys(value).length === 0 : textOf(value) === "");

const CITY = ["city", "cidade", "municipio", "localidade"];
const STATE = ["state", "uf", "estado"];

/** The parts of a Brazilian address in written order; unknown parts follow. */
const WRITTEN = [
  ["street", "rua", "logradouro"],
  ["number", "numero"],
  ["complement", "complemento"],
  ["neighborhood", "bairro"],
  CITY,
  STATE,
  ["postalcode", "zipcode", "cep"],
];
const pathOf = (key: string) =>
  (WRITTEN.findIndex((names) => names.includes(plainName(key))) + WRITTEN.length + 1) % (WRITTEN.length + 1);

function partsOf(value: unknown): [string, string][] {
  if (!isObject(value)) return [["", textOf(value)]];
  return Object.entries(value)
    .flatMap(([key, one]): [string, string][] => (isNothing(one) || isObject(one) ? [] : [[key, textOf(one)]]))
    .toSorted(([one], [other]) => pathOf(one) - pathOf(other));
}

function maskedAddress(value: unknown): string {
  const parts = partsOf(value);
  const of = (names: readonly string[]) => parts.find(([key]) => names.includes(plainName(key)))?.[1];
  return [HIDDEN, of(CITY), of(STATE)].filter((part) => part !== undefined).join(" · ");
}

function masked(as: Masking, value: unknown): string {
  if (as === "address") return maskedAddress(value);
  const text = textOf(value);
  if (as === "name") return maskName(text);
  if (as === "date") return `${HIDDEN} ${/(?:19|20)\d{2}/.exec(text)?.[0] ?? ""}`.trim();
  if (as === "email") return `${Array.from(text)[0] ?? ""}${HIDDEN}@${HIDDEN}`;
  if (as === "phone") return `${HIDDEN}${text.slice(-2)}`;
  if (as === "time") return maskWithin(isoOf(text));
  const within = maskWithin(text);
  // A document that came masked is shown as it came.
  const isReported = as === "document" && (within !== text || /[*•]/.test(text));
  return as === "open" || isReported ? within : HIDDEN;
}

function clearOf(as: Masking, value: unknown): string {
  if (as === "address")
    return partsOf(value)
      .map(([, text]) => text)
      .join(", ");
  if (as === "time") return isoOf(textOf(value));
  const document = normaliseDocument(textOf(value));
  return as === "document" && (isCpf(document) || isCnpj(document)) ? formatDocument(document) : textOf(value);
}

/** An envelope's status says how the call went (interface: Endpoints › Common rules). */
const isOfEnvelope = (root: object, key: string) =>
  ("data" in root || "body" in root) && ["status", "httpCode", "when"].includes(key);

function* walk<Name extends string>(
  value: object,
  within: FieldPath,
  known: (key: string) => [Name, Masking] | null,
): Generator<Clear<Name>> {
  for (const [key, one] of Object.entries(value)) {
    const isItem = Array.isArray(value);
    if (isNothing(one) || (within.path === "" && isOfEnvelope(value, key))) continue;
    const path = isItem ? `${within.path}[${key}]` : `${within.path}${within.path === "" ? "" : "."}${key}`;
    const own = { path, key: isItem ? within.key : key, entry: isItem ? path : within.entry };
    if (isSecret(own.key, isObject(one) ? "" : textOf(one))) {
      yield {
        name: null,
        path: maskWithin(path),
        text: HIDDEN,
        isMasked: false,
        kind: "text",
        entry: own.entry,
        clear: HIDDEN,
      };
      continue;
    }
    const [name = null, as = "open"] = known(own.key) ?? [];
    if (isObject(one) && as !== "address") {
      yield* walk(one, own, known);
      continue;
    }
    const text = textOf(one);
    const isLink = !isObject(one) && isWebAddress(text);
    const isOurs = name !== null && !isLink;
    const shown = isOurs ? masked(as, one) : shownValue(own.key, text).value;
    const clear = isOurs ? clearOf(as, one) : text;
    const kind = isLink ? "link" : isOurs && as === "time" ? "time" : "text";
    yield { name, path: maskWithin(path), text: shown, isMasked: shown !== clear, kind, entry: own.entry, clear };
  }
}

function fieldsOf<Name extends string>(answer: unknown, known: KnownFields<Name>): Clear<Name>[] {
  if (!isObject(answer)) return [];
  const names = new Map<string, [Name, Masking]>();
  for (const name in known) {
    for (const alias of [name, ...known[name].aliases]) names.set(plainName(alias), [name, known[name].as]);
  }
  const all = [...walk(answer, { path: "", key: "", entry: null }, (key) => names.get(plainName(key)) ?? null)];
  const isFirst = ({ name, clear, entry }: Clear<Name>, at: number) =>
    name === null || all.findIndex((one) => one.name === name && one.clear === clear && one.entry === entry) === at;
  return all.filter(isFirst);
}

const BETWEEN_WORDS = /([^\p{L}\p{M}\p{N}]+)/u;

/** Masks the whole name anywhere in the text, with any accents and capitals. */
export function maskNameWithin(text: string, name: string): string {
  const wanted = folded(name)
    .split(BETWEEN_WORDS)
    .filter((word, at) => at % 2 === 0 && word !== "");
  const parts = text.split(BETWEEN_WORDS);
  const starts = parts.flatMap((_, at) =>
    at % 2 === 0 && wanted.every((word, nth) => folded(parts[at + 2 * nth] ?? "") === word) ? [at] : [],
  );
  const isOfName = (at: number) => at % 2 === 0 && starts.some((from) => at >= from && at < from + 2 * wanted.length);
  return parts.map((part, at) => (isOfName(at) ? maskName(part) : part)).join("");
}

/** A masked name is masked in every other text of the answer, too. */
export function readFields<Name extends string>(
  answer: unknown,
  known: KnownFields<Name>,
  inClear: readonly Name[] = [],
): ReportedField<Name>[] {
  const fields = fieldsOf(answer, known);
  const isClear = ({ name }: Clear<Name>) => name !== null && inClear.includes(name);
  const hidden = fields.filter((field) => field.name !== null && known[field.name].as === "name" && !isClear(field));
  return fields.map((field) => {
    const { clear, ...shown } = field;
    if (isClear(field)) return { ...shown, text: clear, isMasked: false };
    const text = hidden.reduce((left, { clear: name }) => maskNameWithin(left, name), shown.text);
    return { ...shown, text, isMasked: shown.isMasked || text !== shown.text };
  });
}

export const clearAt = (answer: unknown, path: string, known: KnownFields<string>): string | null =>
  fieldsOf(answer, known).find((field) => field.path === path)?.clear ?? null;
