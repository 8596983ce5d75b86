import type { getTranslations } from "next-intl/server";
import { type Permission, permissionsOf, ROLES, rolesWith } from "@/lib/permission/permission";
import type { AppError, AppErrorDetails } from "./app-error";
import { maskWithin } from "@/lib/contract/document";
import { isUnknown, providerText } from "@/lib/text/provider-word";
import { namingHidden } from "@/lib/text/safe-link";
import {
  ERROR_KINDS,
  type ErrorKind,
  type Failure,
  isEnding,
  isOutage,
  isRefusal,
  isShownCode,
  REVEAL_SECOND_PERSON,
  STEP_UP,
  type Told,
} from "./result";

type Say = Awaited<ReturnType<typeof getTranslations<never>>>;

const CODES = [
  "case-changed",
  "case-decided",
  "case-held",
  "case-not-yours",
  "not-a-decider",
  "person-away",
  "decision-in-flight",
  "decision-unconfirmed",
  "intent-already-sent",
  "intent-reused",
  "possible-duplicate",
  "transfer-unsettled",
  "transfer-account-closed",
  "ted-without-onboarding",
  "transfer-unconfirmed",
  "crypto-transfer-unconfirmed",
  "crypto-transfer-unsettled",
  "crypto-transfer-waiting",
  "crypto-transfer-held",
  "crypto-transfer-repeated",
  "crypto-transfer-on-chain",
  "crypto-history-unread",
  "wallet-of-user",
  "approval-restored",
  "outcome-on-chain",
  "crypto-look-alike",
  "crypto-address-lost",
  "foreign-origin",
  "tenant-changed",
  "person-changed",
  "not-a-member",
  "own-account",
  "last-admin",
  "roles-changed",
  "works-elsewhere",
  "no-such-person",
  "already-member",
  "already-invited",
  "invitation-waits",
  "invitation-settled",
  "invitation-gone",
  "other-invitation",
  "has-account",
  "password-link-gone",
  "person-disabled",
  "no-password",
  "link-alone",
  "break-glass",
  "passwords-busy",
  "uploads-busy",
  "app-first",
  "no-second-admin",
  "admin-not-independent",
  "approval-open",
  "approval-own",
  "approval-not-yours",
  "approval-ended",
  "approval-expired",
  "approval-edited",
  "approval-kind",
  "approval-undecided",
  "approval-under-way",
  "intent-bytes",
  "maker-lost-right",
  "policy-changed",
  "rules-changed",
  "reason-stopped",
  "evidence-changed",
  "note-not-yours",
  "note-too-old",
  "casework-held",
  "file-type",
  "document-unopened",
  "file-empty",
  "file-name",
  "file-too-large",
  "file-broken-off",
  "file-infected",
  "scan-unavailable",
  "too-many-files",
  "views-full",
  "movement-files-own",
  "movement-files-all",
  "movement-file-large",
  "draft-gone",
  "drafts-full",
  "start-like",
  "start-unsettled",
  "start-unconfirmed",
  "start-settled",
  "account-like",
  "account-unsettled",
  "account-unconfirmed",
  "account-settled",
  "onboarding-unknown",
  "link-gone",
  "link-unsafe",
  "attempt-taken",
  "closing-balance",
  "closing-blocked",
  "closing-closed",
  "closing-transfer",
  "closing-pending",
  "closing-unconfirmed",
  "closing-not-seen",
  "customer-unknown",
  "nothing-known",
  "account-several",
  "pix-key-unknown",
  "reveal-reason",
  REVEAL_SECOND_PERSON,
  "otc-trade-unknown",
  "wallet-unconfirmed",
  "wallet-unsettled",
  "wallet-settled",
  "own-token-refused",
  "token-asked",
  "payee-gone",
  "outcome-known",
  "hold-rejected",
  "hold-expired",
  "outcome-candidate",
  STEP_UP,
] as const;
type Code = (typeof CODES)[number];

const FIELD_CODES = [
  "required",
  "too-long",
  "too-short",
  "too-many-rows",
  "unreadable-file",
  "open-quote",
  "cpf",
  "cnpj",
  "document",
  "customer",
  "masked",
  "holder-name",
  "pix-key",
  "pix-key-phone",
  "otc-id",
  "reference",
  "amount",
  "amount-number",
  "amount-positive",
  "amount-ambiguous",
  "amount-cents",
  "amount-large",
  "date",
  "period",
  "period-long",
  "day-ahead",
  "characters",
  "future",
  "stopped-word",
  "stopped-reason",
  "checklist",
  "reason-code",
  "repeated",
  "one-of-each",
  "unfindable",
  "due-soon",
  "tag",
  "no-document",
  "no-identifier",
  "other-document",
  "same-decision",
  "name",
  "name-link",
  "birth-future",
  "birth-long-ago",
  "qsa",
  "email",
  "email-letters",
  "email-mixed",
  "email-server",
  "phone",
  "postal-code",
  "coordinate",
  "https",
  "password",
  "password-guessable",
  "password-again",
  "six-digits",
  "holder-code",
  "holder-token",
  "branch",
  "account",
  "ispb",
  "bank-code",
  "bank-mismatch",
  "same-account",
  "coins",
  "coins-ambiguous",
  "coins-decimals",
  "chain-address",
  "own-address",
  "token-address",
  "burn-address",
  "anybody-address",
  "network-address",
  "token-gone",
  "token-untold",
  "other-network",
  "middle-six",
] as const;
type FieldCode = (typeof FIELD_CODES)[number];

/** interface: Errors › Gateway errors, of the antifraud. */
const ANTIFRAUD_CODES = ["TRANSACTION_BLOCKED", "SECURITY_SERVICE_UNAVAILABLE"] as const;
type AntifraudCode = (typeof ANTIFRAUD_CODES)[number];

/** interface: Errors › HTTP statuses. 200: its answer says that it did not do it. */
const REFUSED_STATUSES = [200, 400, 403, 404, 405, 409, 412, 422] as const;
type RefusedStatus = (typeof REFUSED_STATUSES)[number];

const isAntifraudCode = (code: string | undefined): code is AntifraudCode =>
  ANTIFRAUD_CODES.some((known) => known === code);
const isRefusedStatus = (status: number | undefined): status is RefusedStatus =>
  REFUSED_STATUSES.some((known) => known === status);
const isCode = (code: string | undefined): code is Code => CODES.some((known) => known === code);
const isFieldCode = (code: unknown): code is FieldCode => FIELD_CODES.some((known) => known === code);
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

/** The provider's words within ours, so that no screen shows one without the other. */
function refusedSentence({ status, code, said }: ProviderRefusal, say: Say): string {
  const answer = code === null ? String(status) : `${status}, ${code}`;
  const refused = say(`refusedStatuses.${isRefusedStatus(status) ? status : "other"}`, { answer });
  return said === "" ? say("refusedStatuses.unsaid", { refused }) : say("refusedStatuses.said", { refused, said });
}

const withAnswer = (ours: string, said: string, say: Say) =>
  said === "" ? ours : `${ours} ${say("refusedStatuses.answered", { said })}`.trim();

/** Null: nothing is known of it but what the provider answered. */
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

const GATEWAY_CODE = /^[A-Z][A-Z\d_]*$/;

function sentence(error: AppError, say: Say, hasFields: boolean): string {
  const { kind, details } = error;
  const { code = "", status } = details;
  const own = ownSentence(error, say, hasFields);
  const said = kind === "not-found" && isCode(code) ? "" : quoted(details.providerMessage);
  // A 200 that is not understood is no refusal.
  const isRefused = isRefusedStatus(status) && (status !== 200 || kind === "invalid");
  if (own !== null || !isRefused) return withAnswer(own ?? say(`errors.${kind}`), said, say);
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

/** The provider's message stands within ours, as text, documents masked. */
export function explain(error: AppError, say: Say): Failure {
  const { code, current, holder, issues } = error.details;
  const fields = issues === undefined ? refusedField(error, say) : explainFields(issues, say);
  return {
    kind: error.kind,
    ...(isShownCode(code) && { code }),
    message: sentence(error, say, fields !== null),
    ...(current !== undefined && { current }),
    ...(holder !== undefined && { holder }),
    ...(fields !== null && { fields }),
  };
}

export function explainRead(error: AppError, say: Say): Failure {
  const { code } = error.details;
  const failure = explain(error, say);
  return isOutage(code) ? { ...failure, message: say(`readOutages.${code}`) } : failure;
}

type Issue = { code?: string | undefined; path: PropertyKey[]; origin?: unknown; maximum?: unknown; params?: unknown };

function wordIn({ params }: Issue): string {
  return typeof params === "object" && params !== null && "word" in params ? String(params.word) : "";
}

function fieldCode(issue: Issue): FieldCode | null {
  const { params } = issue;
  if (typeof params === "object" && params !== null && "code" in params && isFieldCode(params.code)) return params.code;
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
