import { documentsWithin } from "@/lib/contract/document";
import { urlOf } from "@/lib/provider/address";

/** In single quotes a shell reads everything as it is. */
const quoted = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`;

const isPersonal = (text: string) => documentsWithin(text).length > 0;

/**
 * The same request for a shell. Token, client id and documents are variables that whoever runs it sets: the text has
 * no secret and no document. `path` is filled and escaped.
 */
export function curlOf(baseUrl: string, path: string, query: Readonly<Record<string, string>>): string {
  const parameters = Object.entries(query).map(([name, value]) =>
    isPersonal(value) ? `--data-urlencode "${name}=$DOCUMENT"` : `--data-urlencode ${quoted(`${name}=${value}`)}`,
  );
  return [
    `curl -sS -G ${quoted(urlOf(baseUrl, path).href)}`,
    `-H "Authorization: Bearer $ACCESS_TOKEN"`,
    `-H "x-client-id: $CLIENT_ID"`,
    ...parameters,
  ].join(" \\\n  ");
}
