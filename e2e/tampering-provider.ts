import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { freePort } from "@/scripts/temporary-product.mjs";
import { PAYLOADS } from "./payload-list";
import { type Marks, placeIn } from "./payload-marks";

/** Lists whose entries people see one by one: each becomes as many as there are payloads, and some twice as many. */
const LISTS = /\.(result|transactions|messages|accounts|data)$/;
const TWICE = /\/getAccounts\.data\.accounts$|\/crypto\/wallets\.data$/;
/**
 * Of what is there twice the first copy says here what lets it be asked about any further (by default what it said), and the
 * second one carries a payload.
 */
const SAID_FIRST: Readonly<Record<string, string | undefined>> = {
  "/v1/crypto/wallets.data.network": undefined,
  "/v1/bank-accounts/checkOnboarding.data.status": "PROCESSING",
};
const SECOND = "~2";
const MARKED = /^(.*?)(~2)?~q\d+z\d+q/s;

type Copy = {
  /** Which payload all its texts carry; none: each field its next one. */
  turn?: number;
  isSecond: boolean;
};
type Answer = Copy & {
  marks: Marks;
  /** Only the entries that say this are in lists of onboardings. */
  only: string;
  /** It is not the first page: all there is stood on that. */
  isFurther: boolean;
};

const isRecord = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** What answers may say besides: the real provider leaves some of it out, and every field is to have every payload. */
const BESIDES: Readonly<Record<string, object | undefined>> = {
  "/v1/kyc/list.result": { webviewUrl: "", webviewUrls: [{ vatNumber: "***", url: "" }] },
  "/v1/crypto/wallets.data": { userId: "usr-1", reference: "pedido-1" },
  "/v1/crypto/wallets/*/balance.data": { type: "native", tokenAddress: "0x1" },
  "/v1/bank-accounts/checkOnboarding.data.body": {
    messages: [
      { id: "m-1", date: "hoje", message: "Envie outra foto.", status: "sent", actionRequired: true, url: "" },
    ],
  },
};

function copiesOf(entries: readonly unknown[], field: string, answer: Answer): unknown[] {
  const { only, isFurther } = answer;
  const listed = field.endsWith(".accounts") ? entries.filter((one) => JSON.stringify(one).includes(only)) : entries;
  if (isFurther) return [];
  const length = listed.length === 0 ? 0 : (TWICE.test(field) ? 2 : 1) * PAYLOADS.length;
  return Array.from({ length }, (_, turn) =>
    tamper(listed[turn % listed.length], field, { ...answer, turn, isSecond: turn >= PAYLOADS.length }),
  );
}

/** Every text of an answer with a payload; of a list, each entry with another one. */
function tamper(value: unknown, field: string, answer: Answer): unknown {
  const { marks, turn, isSecond } = answer;
  if (Array.isArray(value)) {
    const isList = LISTS.test(field) && turn === undefined;
    return isList ? copiesOf(value, field, answer) : value.map((one) => tamper(one, field, answer));
  }
  if (typeof value === "object" && value !== null) {
    const entries = Object.entries({ ...BESIDES[field], ...value });
    return Object.fromEntries(entries.map(([name, one]) => [name, tamper(one, `${field}.${name}`, answer)]));
  }
  const isAddress = /url$/i.test(field);
  const text = value === null && isAddress ? "" : value;
  if (typeof text !== "string") return text;
  if (field in SAID_FIRST && !isSecond) return SAID_FIRST[field] ?? text;
  return marks.put(field, isSecond ? text + SECOND : text, { isAddress, ...(turn !== undefined && { turn }) });
}

async function bytesOf(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}

/** What the real provider is to be asked, and which copy in its answer is meant. */
function readAsked(url: string, serviceUrl: string): { asked: URL; path: string; copy: Copy } {
  const asked = new URL(url, serviceUrl);
  const copy: Copy = { isSecond: false };
  const plain = (text: string) => {
    const [, real, second] = MARKED.exec(text) ?? [];
    const turn = placeIn(text);
    if (real === undefined || turn === null) return text;
    Object.assign(copy, { turn, isSecond: second !== undefined });
    return real;
  };
  const parameters = Object.entries(Object.fromEntries(asked.searchParams));
  for (const [name, value] of parameters) asked.searchParams.set(name, plain(value));
  const segments = asked.pathname.split("/").map((segment) => plain(decodeURIComponent(segment)));
  asked.pathname = segments.map((segment) => encodeURIComponent(segment)).join("/");
  return { asked, path: segments.join("/"), copy };
}

const HEADERS = ["authorization", "x-client-id", "content-type", "idempotency-key"];
const isFurtherPage = ({ searchParams }: URL) =>
  Number(searchParams.get("page") ?? 1) > 1 || Number(searchParams.get("offset") ?? 0) > 0;

/**
 * A provider that puts payloads into every text of what the real one at `serviceUrl` answers: an entry of a list becomes
 * sixty, and each can be asked about. `lists` says of which onboarding those of its list are copies; before that it lists none.
 */
export async function startTamperingProvider(serviceUrl: string, marks: Marks) {
  let only = "none of them";

  async function answer(incoming: IncomingMessage, outgoing: ServerResponse) {
    const { method = "GET", url = "/", headers } = incoming;
    const body = await bytesOf(incoming);
    const { asked, path, copy } = readAsked(url, serviceUrl);
    const kept = HEADERS.flatMap((name) => (typeof headers[name] === "string" ? [[name, headers[name]] as const] : []));
    const real = await fetch(asked, {
      method,
      headers: Object.fromEntries(kept),
      ...(body.length > 0 && { body: new Uint8Array(body) }),
    });
    const text = await real.text();
    const isPlain = path.includes("/authentication/") || !real.headers.get("content-type")?.includes("json");
    const operation = path.replace(/(\/wallets)\/[^/]+/, "$1/*");
    const told = { ...copy, marks, only, isFurther: isFurtherPage(asked) };
    outgoing.writeHead(real.status, { "content-type": real.headers.get("content-type") ?? "text/plain" });
    if (isPlain) return outgoing.end(text);
    const said: unknown = JSON.parse(text);
    // A failure says which only where the gateway makes it; a stranger may say it anywhere.
    const whole = !real.ok && isRecord(said) ? { error: "NONE", ...said } : said;
    return outgoing.end(JSON.stringify(tamper(whole, real.ok ? operation : `failed ${operation}`, told)));
  }

  const server = createServer((incoming, outgoing) => {
    answer(incoming, outgoing).catch(() => outgoing.destroy());
  });
  const port = await freePort();
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  return {
    origin: `http://127.0.0.1:${port}`,
    lists: (onBoardingId: string) => {
      only = onBoardingId;
    },
    stop: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}
