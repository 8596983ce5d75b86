import type { getTranslations } from "next-intl/server";
import { type Permission, permissionsOf, ROLES, rolesWith } from "@/lib/permission/permission";
import type { AppError, AppErrorDetails } from "./app-error";
import { maskWithin } from "@/lib/contract/document";
import { isUnknown, providerText } from "@/lib/text/provider-word";
import { namingHidden } from "@/lib/text/safe-link";
import type { FailureCode } from "./denial";
import {
  ERROR_KINDS,
  type ErrorKind,
  type Failure,
  isEnding,
  isOutage,
  isRefusal,
  isShownCode,
  type Issue,
  SILENT,
  type Told,
} from "./result";
import messages from "@/messages/pt-BR.json";

type Say = Awaited<ReturnType<typeof getTranslations<never>>>;

type FieldCode = Exclude<keyof typeof messages.fields, "invalid" | "refused">;

/** interface: Errors › Gateway errors, of the antifraud. */
const ANTIFRAUD_CODES = ["TRANSACTION_BLOCKED", "SECURITY_SERVICE_UNAVAILABLE"] as const;
type AntifraudCode = (typeof ANTIFRAUD_CODES)[number];

/** interface: Errors › HTTP statuses. 200: the answer itself says that nothing was done. */
const REFUSED_STATUSES = [200, 400, 403, 404, 405, 409, 412, 422] as const;
type RefusedStatus = (typeof REFUSED_STATUSES)[number];

const isAntifraudCode = (code: string | undefined): code is AntifraudCode =>
  ANTIFRAUD_CODES.some((known) => known === code);
const isRefusedStatus = (status: number | undefined): status is RefusedStatus =>
  REFUSED_STATUSES.some((known) => known === status);
const isCode = (code: string | undefined): code is FailureCode => Object.hasOwn(messages.failures, code ?? "");
const isFieldCode = (code: string): code is FieldCode =>
  Object.hasOwn(messages.fields, code) && code !== "invalid" && code !== "refused";
const isPermission = (code: string | undefined): code is Permission =>
  permissionsOf(ROLES).some((permission) => permission === code);

const named = ({ holder, decided }: Pick<AppErrorDetails, "holder" | "decided">) => ({
  who: holder === null || holder === undefined ? "none" : "one",
  name: holder?.name ?? "",
  time: new Date(holder?.since ?? 0),
  decided: decided ?? "none",
});

const quoted = (said: string | undefined) => namingHidden(maskWithin(said ?? "").trim());

type ProviderRefusal = { status: number; code: string | null; said: string };

/** The provider's words within ours, so that every screen shows both. */
function refusedSentence({ status, code, said }: ProviderRefusal, say: Say): string {
  const answer = code === null ? String(status) : `${status}, ${code}`;
  const refused = say(`refusedStatuses.${isRefusedStatus(status) ? status : "other"}`, { answer });
  return said === "" ? say("refusedStatuses.unsaid", { refused }) : say("refusedStatuses.said", { refused, said });
}

const withAnswer = (ours: string, said: string, say: Say) =>
  said === "" ? ours : `${ours} ${say("refusedStatuses.answered", { said })}`.trim();

/** Null when only the provider's answer is known. */
function ownSentence({ kind, details }: AppError, say: Say, hasFields: boolean): string | null {
  const { code } = details;
  if (isCode(code)) return say(`failures.${code}`, named(details));
  if (isOutage(code)) return say(`outages.${code}`);
  if (isRefusal(code)) return say(`refusals.${code}.body`);
  if (isAntifraudCode(code)) return say(`antifraud.${code}`);
  if (kind === "forbidden" && isPermission(code)) {
    return say("common.notAllowed", {
      roles: rolesWith(code)
        .map((role) => say(`roles.${role}`))
        .join(", "),
    });
  }
  return hasFields ? say("errors.invalid") : null;
}

type Otherwise = (error: AppError, say: Say) => string;

const ofRead: Otherwise = ({ kind }, say) => say(`errors.${kind}`);

/** An order whose effect is unknown has its own code and sentence, so what else is unavailable stood before it. */
const ofWrite: Otherwise = ({ kind, details: { mayHaveExecuted } }, say) =>
  kind === "unavailable"
    ? say(`unavailableWrites.${mayHaveExecuted === true ? "unknown" : "unsent"}`)
    : say(`errors.${kind}`);

const GATEWAY_CODE = /^[A-Z][A-Z\d_]*$/;

function sentence(error: AppError, say: Say, { hasFields, otherwise }: { hasFields: boolean; otherwise: Otherwise }) {
  const { kind, details } = error;
  const { code = "", status } = details;
  const own = ownSentence(error, say, hasFields);
  const said = kind === "not-found" && isCode(code) ? "" : quoted(details.providerMessage);
  // An unreadable 200 is no refusal.
  const isRefused = isRefusedStatus(status) && (status !== 200 || kind === "invalid");
  if (own !== null || !isRefused) return withAnswer(own ?? otherwise(error, say), said, say);
  return refusedSentence({ status, code: GATEWAY_CODE.test(code) ? code : null, said }, say);
}

const isKind = (code: string): code is ErrorKind => ERROR_KINDS.some((kind) => kind === code);

export function explainCode(code: string, say: Say): string | null {
  if (isCode(code)) return say(`failures.${code}`, named({}));
  if (isOutage(code)) return say(`outages.${code}`);
  if (isRefusal(code)) return say(`refusals.${code}.body`);
  if (isAntifraudCode(code)) return say(`antifraud.${code}`);
  if (isEnding(code)) return say(`endings.${code}`);
  if (code === "invalid" || code === "conflict") return say("refusedStatuses.check");
  return isKind(code) ? say(`errors.${code}`) : null;
}

export function explainTold({ code, status, said, wasSent }: Told, say: Say): string {
  const known = code === null ? null : explainCode(code, say);
  const words = quoted(said ?? "");
  if (known !== null) return withAnswer(known, words, say);
  const word = code === null || isUnknown(code) ? null : providerText(code);
  if (status !== null && wasSent) return refusedSentence({ status, code: word, said: words }, say);
  const unsent = status === null ? "" : say("refusedStatuses.check");
  const why = word === null ? unsent : `${unsent} ${say("refusedStatuses.code", { code: word })}`.trim();
  return withAnswer(why, words, say);
}

/** How a call ended that neither confirmed nor refused; null when its end tells no more. */
export function explainUnconfirmed({ code, status }: Pick<Told, "code" | "status">, say: Say): string | null {
  if (status !== null && status >= 500) return say("refusedStatuses.failed", { status });
  return code !== null && isEnding(code) ? say(`endings.${code}`) : null;
}

const NAMED_FIELD = /^([A-Za-z]\w*(?:\.\w+)*): (\S.*)$/s;

/** interface: Errors › HTTP statuses, 400 */
function refusedField(
  { details: { status, providerMessage = "" } }: AppError,
  say: Say,
): Record<string, string> | null {
  const [, field = "", said = ""] = NAMED_FIELD.exec(maskWithin(providerMessage)) ?? [];
  return status === 400 && field !== "" && field !== "body"
    ? { [field]: say("fields.refused", { said: namingHidden(said) }) }
    : null;
}

/** A write's failure. The provider's message is quoted within ours, as text, documents masked. */
export function explain(error: AppError, say: Say, otherwise: Otherwise = ofWrite): Failure {
  const { code, current, holder, issues } = error.details;
  const fields = issues === undefined ? refusedField(error, say) : explainFields(issues, say);
  return {
    kind: error.kind,
    ...(isShownCode(code) && { code }),
    message: sentence(error, say, { hasFields: fields !== null, otherwise }),
    ...(current !== undefined && { current }),
    ...(holder !== undefined && { holder }),
    ...(fields !== null && { fields }),
  };
}

export function explainRead(error: AppError, say: Say): Failure {
  const { code } = error.details;
  const failure = explain(error, say, ofRead);
  if (code === SILENT) return { ...failure, message: say("provider.silent") };
  return isOutage(code) ? { ...failure, message: say(`readOutages.${code}`) } : failure;
}

function wordIn({ params }: Issue): string {
  return typeof params === "object" && params !== null && "word" in params ? String(params.word) : "";
}

function fieldCode(issue: Issue): FieldCode | null {
  const { params } = issue;
  const code = typeof params === "object" && params !== null && "code" in params ? String(params.code) : "";
  if (isFieldCode(code)) return code;
  if (issue.code === "too_big") return "too-long";
  return issue.code === "too_small" || issue.code === "invalid_type" || issue.code === "invalid_value"
    ? "required"
    : null;
}

export function explainFields(issues: readonly Issue[], say: Say): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const issue of issues) {
    const code = fieldCode(issue);
    fields[issue.path.join(".")] ??=
      code === null
        ? say("fields.invalid")
        : say(`fields.${code}`, { maximum: Number(issue.maximum ?? 0), word: wordIn(issue) });
  }
  return fields;
}
