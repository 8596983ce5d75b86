import { LosslessNumber } from "lossless-json";
import { z } from "zod";
import { maskWithin } from "@/lib/contract/document";
import { plainName } from "@/lib/contract/open-answer";
import { identifiersIn } from "./tipping-off";

/** `path`: `account.branch`, `messages[0].message`. */
export type ShownField = { path: string; value: string; isMasked: boolean };
export type ShownBody = { fields: ShownField[]; more: number };

export const UnreadEntries = z
  .array(
    z.object({
      hash: z.string(),
      shape: z.object({
        fields: z.array(z.object({ path: z.string(), value: z.string(), isMasked: z.boolean() })),
        more: z.number(),
      }),
    }),
  )
  .catch([]);

const MAX_FIELDS = 200;
const MAX_LETTERS = 600;
/** Replaces hidden values. */
export const HIDDEN = "•••";

const PERSONAL =
  /^(cpf|cnpj|document|documentNumber|vatNumber|taxId|pixKey|street|number|complement|neighborhood|postalCode|zipCode)$|name$|mother|birth|e-?mail|phone|password|secret|token$|latitude|longitude/i;
const PESSOAL =
  /nome|razaosocial|titular|mae|nascimento|telefone|celular|senha|segredo|logradouro|endereco|bairro|complemento|documento|cpf|cnpj|chavepix|^(rua|numero|cep|rg)$/;
const SECRET_NAME =
  /password|passwd|passphrase|senha|secret|segredo|token$|privatekey|apikey|chavesecreta|chaveprivada|^(pin|cvv|otp|mfacode)$/;
/** A JSON Web Token, a header's credentials, a key in PEM. */
const hasSecretShape = (text: string): boolean =>
  /^eyJ[\w-]+\.[\w-]+\./.test(text) ||
  /^(?:bearer|basic) \S{8}/i.test(text) ||
  (text.includes("-----BEGIN ") && text.includes("PRIVATE KEY"));

/** Secrets are shown to nobody, for any reason. */
export const isSecret = (name: string, text: string): boolean =>
  SECRET_NAME.test(plainName(name)) || hasSecretShape(text);

const ADDRESS = /^[a-z][a-z\d+.-]*:\/\//i;

export const isWebAddress = (text: string): boolean => ADDRESS.test(text);

function hostOf(address: string): string {
  return URL.canParse(address) ? new URL(address).host : "";
}

const BETWEEN_WORDS = /([\s<>"';,()])/;
const ID_NAME = /id$|uuid|hash|chaveidempotencia|idempotencykey/;
const ACCOUNT_NAME = /conta(?!to)|account(?!type|status)/;
const ACCOUNT = /^[\d.\s/-]{3,24}[\dXP]$/i;

const ending = (text: string) => `${HIDDEN}${text.slice(-2)}`;

function maskLooks(name: string, text: string): string {
  const withoutEmails = text
    .split(BETWEEN_WORDS)
    .map((word) => (word.slice(1, -1).includes("@") ? `${Array.from(word)[0] ?? ""}${HIDDEN}@${HIDDEN}` : word))
    .join("");
  const plain = plainName(name);
  if (ID_NAME.test(plain)) return withoutEmails;
  if (ACCOUNT_NAME.test(plain) && ACCOUNT.test(withoutEmails)) return ending(text);
  const looks = identifiersIn(withoutEmails).toReversed();
  return looks.reduce(
    (left, { from, to }) => left.slice(0, from) + ending(left.slice(from, to)) + left.slice(to),
    withoutEmails,
  );
}

/** The visible part of a text under this name. */
export function shownValue(name: string, text: string): Omit<ShownField, "path"> {
  if (isSecret(name, text)) return { value: HIDDEN, isMasked: true };
  const masked = maskWithin(text);
  // The mask still distinguishes documents.
  if (PERSONAL.test(name) || PESSOAL.test(plainName(name)))
    return { value: masked === text ? HIDDEN : masked, isMasked: true };
  // Anybody with the whole link may use it.
  if (isWebAddress(text)) return { value: `${hostOf(text)}/${HIDDEN}`, isMasked: true };
  const value = maskLooks(name, masked);
  return { value, isMasked: value !== text };
}

const textOf = (value: unknown): string => (value instanceof LosslessNumber ? value.value : String(value));

const STATE_NAME = /^(?:status|situacao)|(?:status|situacao|estado|state|fase|etapa|stage)$/;
const STATE_WORD = /^\p{L}[\p{L}\p{N}_-]{1,39}$/u;

const isStateWord = (name: string, value: unknown): boolean =>
  typeof value === "string" && STATE_NAME.test(plainName(name)) && STATE_WORD.test(value);

type Showing = { hidesTexts: boolean };

function* fieldsOf(
  value: unknown,
  { path, name }: { path: string; name: string },
  showing: Showing,
): Generator<ShownField> {
  if (Array.isArray(value)) {
    for (const [index, one] of value.entries()) yield* fieldsOf(one, { path: `${path}[${index}]`, name }, showing);
    return;
  }
  if (typeof value === "object" && value !== null && !(value instanceof LosslessNumber)) {
    for (const [key, one] of Object.entries(value)) {
      yield* fieldsOf(one, { path: path === "" ? key : `${path}.${key}`, name: key }, showing);
    }
    return;
  }
  const isHidden = showing.hidesTexts && value !== null && typeof value !== "boolean" && !isStateWord(name, value);
  const open = value === null ? { value: "null", isMasked: false } : shownValue(name, textOf(value));
  const field = isHidden ? { value: HIDDEN, isMasked: true } : open;
  const isLong = field.value.length > MAX_LETTERS;
  yield { ...field, path: maskWithin(path), value: isLong ? `${field.value.slice(0, MAX_LETTERS)}…` : field.value };
}

/** Documents masked, personal fields hidden. `hidesTexts`: for bodies with unknown field names. */
export function showBody(payload: unknown, showing: Showing = { hidesTexts: false }): ShownBody {
  const all = [...fieldsOf(payload, { path: "", name: "" }, showing)];
  return { fields: all.slice(0, MAX_FIELDS), more: Math.max(0, all.length - MAX_FIELDS) };
}

/** The same body with what is hidden replaced, for a copy. */
export function redact(value: unknown, name = ""): unknown {
  if (Array.isArray(value)) return value.map((one) => redact(one, name));
  if (value === null || typeof value === "boolean") return value;
  if (typeof value === "object" && !(value instanceof LosslessNumber))
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [maskWithin(key), redact(one, key)]));
  const shown = shownValue(name, textOf(value));
  return shown.isMasked ? shown.value : value;
}

export function unreadIn(memory: unknown): ShownBody[] {
  const { data } = z.object({ unread: UnreadEntries }).safeParse(memory);
  return data?.unread.map(({ shape }) => shape) ?? [];
}
