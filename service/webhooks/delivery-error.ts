/** Why an attempt got no answer, in the words that `GET /sandbox/deliveries` shows. */
export type DeliveryErrorWord =
  | "no-webhook"
  | "url-not-allowed"
  | "address-not-allowed"
  | "host-not-found"
  | "connection-refused"
  | "connection-closed"
  | "connection-failed"
  | "certificate-expired"
  | "certificate-not-trusted"
  | "certificate-of-another-host"
  | "tls-failed"
  | "answer-not-http"
  | "timeout";

/** An attempt that we ended ourselves. */
export class DeliveryError extends Error {
  override name = "DeliveryError";
  readonly word: DeliveryErrorWord;

  constructor(word: DeliveryErrorWord) {
    super(word);
    this.word = word;
  }
}

/** The codes of Node, its parser and OpenSSL; the first row that fits holds. */
const WORDS: readonly (readonly [RegExp, DeliveryErrorWord])[] = [
  [/^ECONNREFUSED$/, "connection-refused"],
  [/^(ECONNRESET|EPIPE)$/, "connection-closed"],
  [/^(ENOTFOUND|ENODATA|EAI_\w+)$/, "host-not-found"],
  [/^ETIMEDOUT$/, "timeout"],
  [/^CERT_HAS_EXPIRED$/, "certificate-expired"],
  [/^(ERR_TLS_CERT_ALTNAME_\w+|HOSTNAME_MISMATCH)$/, "certificate-of-another-host"],
  [/CERT|^UNABLE_TO_|^INVALID_(CA|PURPOSE)$|^PATH_LENGTH_/, "certificate-not-trusted"],
  [/^(ERR_SSL_\w+|ERR_TLS_\w+|EPROTO)$/, "tls-failed"],
  [/^HPE_/, "answer-not-http"],
];

/** The word for whatever ended an attempt. */
export function wordFor(error: unknown): DeliveryErrorWord {
  if (error instanceof DeliveryError) return error.word;
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return WORDS.find(([pattern]) => pattern.test(code))?.[1] ?? "connection-failed";
}
