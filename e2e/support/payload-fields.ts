import { TOKEN, WRITES } from "./payload-answers";
import { PAYLOADS } from "./payload-list";

const ACCOUNTS = "/v1/bank-accounts";
const named = (place: string, fields: string, why: string): [string, string][] =>
  fields.split(" ").map((field) => [`${place}.${field}`, why]);

const NOT_STORED = "no screen asks for it, and it is not kept";
const BY_HOST = "a link: its host is shown, and it can be opened only when it is safe";
const MASKED = "a person's: shown masked, or not at all";
const TIME = "read as a time, or as none";
const IN_ADDRESSES = "stands in addresses of ours, encoded";
const A_NAME = "told apart by the names we know, and kept only where it is spelt as those are";
const ONLY_HELD = "shown of money that is held, which no screen sends";
const AS_ORDERED = "it was ordered, and is shown as it was";
const SEEN_LATER = "whether it was done is told apart by the words we know; else the record is read again";

/** Of an account's record what its page shows as it came. */
const RECORD = "status clientCode accountId branch account documentNumber onBoardingId type createdAt";
const STREET = "number street postalCode neighborhood complement";
const PICTURES = "selfieLink documentLink documentBackLink";

const refused = (operation: string) => [
  ...named(`refused ${operation}`, "error", A_NAME),
  ...named(`refused ${operation}`, "antifraudId pendingExpiresAt", ONLY_HELD),
  ...named(`refused ${operation}`, "detail details.field details.message error_description", NOT_STORED),
];

const within = (place: string, fields: string) => fields.split(" ").map((field) => `${place}.${field}`);

/** A person's own, on an account's page until somebody reveals it with a reason. */
const RECORDS = [
  ...named(
    `${ACCOUNTS}/getAccountInfoNaturalPerson.data`,
    [...within("person", "fullName birthDate motherName phoneNumber"), ...within("person.address", STREET)].join(" "),
    MASKED,
  ),
  ...named(`${ACCOUNTS}/getAccountInfoNaturalPerson.data`, within("bankDocuments", PICTURES).join(" "), BY_HOST),
  ...named(`${ACCOUNTS}/getAccountInfoNaturalPerson.data`, "email", MASKED),
  ...named(
    `${ACCOUNTS}/getAccountInfoLegalPerson.data`,
    [
      ...within("legalPerson", "tradingName businessName establishmentDate"),
      ...within("legalPerson.owner", "fullName birthDate motherName"),
      ...within("legalPerson.owner.address", STREET),
    ].join(" "),
    MASKED,
  ),
  ...named(
    `${ACCOUNTS}/getAccountInfoLegalPerson.data`,
    within("bankDocuments", `${PICTURES} socialContractLink`).join(" "),
    BY_HOST,
  ),
  ...named(`${ACCOUNTS}/getAccountInfoLegalPerson.data`, "email", MASKED),
];

/** What is said to what the console orders, and to its asking for a token. */
const TO_WRITES = [
  ...Object.values(WRITES).flatMap(refused),
  ...refused(TOKEN),
  ...named(`refused ${TOKEN}`, "message", "of no token a sentence of ours tells"),
  ...named(TOKEN, "access_token token_type issued_at scope", "opens the provider to the console, and is shown nowhere"),
  ...named(WRITES.person, "message", NOT_STORED),
  ...named(WRITES.person, "data.model data.kycType", AS_ORDERED),
  ...named(WRITES.person, "data.webviewUrl", BY_HOST),
  ...named(WRITES.company, "message", NOT_STORED),
  ...named(WRITES.company, "data.model data.kycType", AS_ORDERED),
  ...named(WRITES.decision, "message data.kycUUID", NOT_STORED),
  ...named(WRITES.decision, "data.decision", SEEN_LATER),
  ...named(WRITES.personAccount, "message data.body.traceId", NOT_STORED),
  ...named(WRITES.companyAccount, "message data.body.traceId", NOT_STORED),
  ...named(WRITES.closing, "data.status data.accountStatus", SEEN_LATER),
  ...named(WRITES.closing, "message status data.accountId data.branch data.account data.documentNumber", NOT_STORED),
  ...named(WRITES.closing, "data.closedAt data.reason", NOT_STORED),
];

const IN_DRAWER = "stands among the technical details of a case, which are opened by hand";

/** Fields whose text nobody is shown as it came, whatever it says, and what becomes of it instead. */
export const NOT_SHOWN: ReadonlyMap<string, string> = new Map([
  ["header x-request-id", "kept only where it is a plain id"],
  ...named("/v1/crypto/wallets", "message data.clientId data.userId data.reference", NOT_STORED),
  ...named("/v1/crypto/wallets", "data.id", IN_ADDRESSES),
  ...named("/v1/crypto/wallets", "data.createdAt", TIME),
  ...named("/v1/crypto/wallets/*/balance", "message data.address data.type", NOT_STORED),
  ...named("/v1/kyc/list.result", "webviewUrl webviewUrls.url", BY_HOST),
  ...named("/v1/kyc/list.result", "kycUUID", IN_DRAWER),
  ...named(`${ACCOUNTS}/getAccounts.data.accounts`, "clientCode accountId branch account documentNumber", NOT_STORED),
  ...named(`${ACCOUNTS}/getAccounts.data.accounts`, "holderName type status accountStatus", NOT_STORED),
  ...named(`${ACCOUNTS}/getAccounts.data.accounts`, "createdAt", TIME),
  ...named(`${ACCOUNTS}/checkOnboarding`, "data.body.clientCode", NOT_STORED),
  ...named(`${ACCOUNTS}/checkOnboarding.data.body`, "biometricUrl messages.url", BY_HOST),
  ...named(`${ACCOUNTS}/checkOnboarding.data.body`, "account.documentNumber", MASKED),
  ...named(`failed ${ACCOUNTS}/checkOnboarding`, "error", A_NAME),
  ...named(`${ACCOUNTS}/balance`, "data.accountId", NOT_STORED),
  ...named(`failed ${ACCOUNTS}/getAccountInfoLegalPerson`, "error message", NOT_STORED),
  ...named(`${ACCOUNTS}/history`, "status", NOT_STORED),
  ...named("/v1/pix/getAccountInfoByPixKey", "data.pixKey", NOT_STORED),
  ...named(`${ACCOUNTS}/history`, "data.transactions.transactionId", IN_ADDRESSES),
  ...named("/v1/webhooks", "message data.id data.clientId", NOT_STORED),
  ...named("webhook.body", "fullName documentNumber", MASKED),
  ...RECORDS,
  ...TO_WRITES,
]);

/** Of a delivery's links whole addresses are shown by their host; all that only looks like one stays as it came. */
export const SHOWN_IN_PART: ReadonlyMap<string, readonly string[]> = new Map([
  ["webhook.body.biometricUrl", PAYLOADS.filter((payload) => /^[a-z]+:\/\//i.test(payload))],
  ["POST /v1/kyc/company.data.kycUUID", PAYLOADS],
  // What came in a mask already is shown as it came.
  ["/v1/pix/getAccountInfoByPixKey.data.documentNumber", PAYLOADS],
  // These are shown of each account that is opened, and fewer are opened than there are texts.
  ...[
    `${ACCOUNTS}/balance.status`,
    ...within(`${ACCOUNTS}/getAccountInfoNaturalPerson.data`, RECORD),
    ...within(`${ACCOUNTS}/getAccountInfoNaturalPerson.data.person`, "documentNumber address.city address.state"),
    ...within(`${ACCOUNTS}/getAccountInfoLegalPerson.data`, RECORD),
    ...within(
      `${ACCOUNTS}/getAccountInfoLegalPerson.data.legalPerson`,
      "documentNumber owner.address.city owner.address.state",
    ),
  ].map((field) => [field, PAYLOADS] as const),
]);

/** Writes of the interface that the console can send and no screen orders yet. */
export const NOT_ORDERED = [
  `${ACCOUNTS}/generateInternalTransferRequest`,
  `${ACCOUNTS}/generateExternalTransferRequest`,
  "/v1/crypto/transfer",
];
