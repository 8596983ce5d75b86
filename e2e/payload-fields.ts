const ACCOUNTS = "/v1/bank-accounts";
const named = (place: string, fields: string, why: string): [string, string][] =>
  fields.split(" ").map((field) => [`${place}.${field}`, why]);

const NOT_KEPT = "no screen asks for it, and it is not kept";
const BY_HOST = "a link: its host is shown, and it can be opened only when it is safe";
const MASKED = "a person's: shown masked, or not at all";
const TIME = "read as a time, or as none";

/** Fields whose text nobody is shown as it came, whatever it says, and what becomes of it instead. */
export const NOT_SHOWN: ReadonlyMap<string, string> = new Map([
  ...named("/v1/crypto/wallets", "message data.clientId data.userId data.reference", NOT_KEPT),
  ...named("/v1/crypto/wallets", "data.createdAt", TIME),
  ...named("/v1/crypto/wallets/*/balance", "message data.address data.type", NOT_KEPT),
  ...named("/v1/kyc/list.result", "webviewUrl webviewUrls.url", BY_HOST),
  ...named("/v1/kyc/list.result", "webviewUrls.vatNumber", NOT_KEPT),
  ...named(`${ACCOUNTS}/getAccounts.data.accounts`, "clientCode accountId branch account documentNumber", NOT_KEPT),
  ...named(`${ACCOUNTS}/getAccounts.data.accounts`, "holderName type status accountStatus", NOT_KEPT),
  ...named(`${ACCOUNTS}/getAccounts.data.accounts`, "createdAt", TIME),
  ...named(`${ACCOUNTS}/checkOnboarding`, "data.body.clientCode", NOT_KEPT),
  ...named(`${ACCOUNTS}/checkOnboarding.data.body`, "biometricUrl messages.url", BY_HOST),
  ...named(`${ACCOUNTS}/checkOnboarding.data.body`, "account.documentNumber", MASKED),
  ...named(
    `failed ${ACCOUNTS}/checkOnboarding`,
    "error",
    "a code: told apart by those we know, kept only where it is a word",
  ),
  ...named(`${ACCOUNTS}/balance`, "status data.accountId", NOT_KEPT),
  ...named(`${ACCOUNTS}/history`, "status", NOT_KEPT),
  ...named(`${ACCOUNTS}/history.data.transactions`, "direction", "a sign before the amount, where it is one of ours"),
  ...named("/v1/webhooks", "message data.id data.clientId", NOT_KEPT),
  ...named("webhook.body", "fullName documentNumber", MASKED),
  ...named("webhook.body", "biometricUrl", BY_HOST),
]);
