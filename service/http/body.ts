import { isTooDeep } from "@/lib/contract/depth";
import { ServiceError } from "@/service/error";
import { readJson } from "@/service/json";

const LIMIT_BYTES = 1_048_576;
const DEPTH_LIMIT = 64;

const tooLarge = () => new ServiceError(413, "The body must have at most 1 MiB");
const malformed = (message: string) => new ServiceError(400, message);

/** A request's body: parsed, or the fault to answer with once the checks that come before it have passed. */
export type Body = { value: unknown; fault?: undefined } | { value?: undefined; fault: ServiceError };

async function readCounted(request: Request): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const chunk of request.body ?? []) {
    sizeBytes += chunk.byteLength;
    if (sizeBytes > LIMIT_BYTES) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

async function readBytes(request: Request): Promise<Uint8Array> {
  const declared = request.headers.get("content-length");
  if (declared === null) return readCounted(request);
  if (Number(declared) > LIMIT_BYTES) throw tooLarge();
  // No body is longer than its declared length; read whole, it needs none of the machinery of a stream.
  return new Uint8Array(await request.arrayBuffer());
}

/** PostgreSQL stores neither NUL nor half a character. */
const UNSTORABLE = /[\0\p{Surrogate}]/u;

/** Whether some text in it, names included, cannot be stored. */
export function isUnstorable(value: unknown): boolean {
  if (typeof value === "string") return UNSTORABLE.test(value);
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(value).some(([name, inner]) => UNSTORABLE.test(name) || isUnstorable(inner));
}

function parse(bytes: Uint8Array): Body {
  // Brackets and quotes are single bytes in UTF-8, so they are found before it is known to be that.
  const text = Buffer.from(bytes).toString("latin1");
  if (isTooDeep(text, DEPTH_LIMIT))
    return { fault: malformed(`The body is nested more than ${DEPTH_LIMIT} levels deep`) };
  const json = readJson(bytes);
  if (!json) return { fault: malformed("The body is not valid JSON") };
  return isUnstorable(json.value) ? { fault: malformed("The body holds characters that are not allowed") } : json;
}

/** Reads a JSON body of at most 1 MiB. Throws 413; every other fault is given back, for its turn. */
export async function readBody(request: Request): Promise<Body> {
  const bytes = await readBytes(request);
  return bytes.byteLength === 0 ? { value: undefined } : parse(bytes);
}

const JSON_TYPE = /^application\/(json|[\w.-]+\+json)\s*(;|$)/i;

/** Throws 400 when the request names a type of content other than JSON (interface: Endpoints › Common rules). */
export function refuseOtherContent(request: Request): void {
  const type = request.headers.get("content-type");
  if (type !== null && !JSON_TYPE.test(type)) throw malformed("Content-Type must be application/json");
}
