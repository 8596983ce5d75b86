import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { freePort } from "@/scripts/checks/temporary-product.mjs";
import { TOKEN } from "./payload-answers";
import { latin1 } from "./payload-deliveries";
import { PAYLOADS } from "./payload-list";
import { type Marks, NOT_IN_HEADERS } from "./payload-marks";
import { readAsked, tamper } from "./payload-tampering";

/** What a write is answered; `count`: how many payloads each of its texts carries, by default a few. */
export type Told = { status: number; body: object; count?: number };

const HEADERS = ["authorization", "x-client-id", "content-type", "idempotency-key"];
const JSON_TYPE = "application/json";

async function bytesOf(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}

const isRecord = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const isFurtherPage = ({ searchParams }: URL) =>
  Number(searchParams.get("page") ?? 1) > 1 || Number(searchParams.get("offset") ?? 0) > 0;

/** What a call does, as fields are named by it: what a company asks for at the same address is another form. */
function nameOf(method: string, path: string, body: Buffer): string {
  if (method === "GET") return path.replace(/(\/wallets)\/[^/]+/, "$1/*");
  return `${method} ${path}${body.includes('"legalPerson"') ? " (company)" : ""}`;
}

/** A token that opens something stays as it is: its text is the console's own way in. */
function exceptToken(said: unknown, tampered: unknown): unknown {
  const opens = isRecord(said) && "access_token" in said ? { access_token: said.access_token } : {};
  return isRecord(tampered) ? { ...tampered, ...opens } : tampered;
}

async function askReal(incoming: IncomingMessage, asked: URL, body: Buffer) {
  const { method = "GET", headers } = incoming;
  const stored = HEADERS.flatMap((name) => (typeof headers[name] === "string" ? [[name, headers[name]] as const] : []));
  const sent = body.length > 0 && { body: new Uint8Array(body) };
  const real = await fetch(asked, { method, headers: Object.fromEntries(stored), ...sent });
  return { status: real.status, type: real.headers.get("content-type") ?? "text/plain", text: await real.text() };
}

/**
 * A provider that puts payloads into every text of what the real one at `serviceUrl` answers: an entry of a list becomes as
 * many as say them all, and each can be asked about. What is told of a write is answered without asking the real one.
 */
export async function startTamperingProvider(serviceUrl: string, marks: Marks) {
  let only: string | null = null;
  let rejections = 0;
  let answers = 0;
  const spared: string[] = [];
  const writes = new Map<string, Told>();

  /** Its own name for the request, as the interface's gateway may say one; what cannot be sent is left out. */
  function requestId(): Record<string, string> {
    const turn = answers % PAYLOADS.length;
    answers += 1;
    if (NOT_IN_HEADERS.includes(turn)) return {};
    return { "x-request-id": latin1(marks.put("header x-request-id", "r", { turn, count: 1 })) };
  }

  async function answer(incoming: IncomingMessage, outgoing: ServerResponse) {
    const { method = "GET", url = "/" } = incoming;
    const body = await bytesOf(incoming);
    const { asked, path, copy } = readAsked(url, serviceUrl);
    const operation = nameOf(method, path, body);
    const told = { ...copy, marks, only, spared, isFurther: isFurtherPage(asked) };
    const send = (status: number, type: string, text: string) => {
      outgoing.writeHead(status, { "content-type": type, ...requestId() });
      outgoing.end(text);
    };
    // The console never asks this: a tab of a story that had the port before does.
    if (path === "/") return send(404, JSON_TYPE, "{}");
    const write = writes.get(operation);
    if (write !== undefined) {
      const field = write.status < 300 ? operation : `refused ${operation}`;
      const { count } = write;
      const tampered = tamper(write.body, field, { ...told, ...(count !== undefined && { count }) });
      return send(write.status, JSON_TYPE, JSON.stringify(tampered));
    }
    if (rejections > 0 && operation !== TOKEN) {
      rejections -= 1;
      return send(401, JSON_TYPE, JSON.stringify({ message: "Invalid token" }));
    }
    const { status, type, text } = await askReal(incoming, asked, body);
    const isOk = status < 400;
    const isSpared = path.endsWith("/checkOnboarding") && spared.some((one) => `${asked.href} ${text}`.includes(one));
    if (isSpared || !type.includes("json")) return send(status, type, text);
    const said: unknown = JSON.parse(text);
    // A failure says which only where the gateway makes it; a stranger may say it anywhere.
    const whole = !isOk && isRecord(said) ? { error: "NONE", ...said } : said;
    const tampered = tamper(whole, isOk ? operation : `failed ${operation}`, told);
    return send(status, type, JSON.stringify(operation === TOKEN ? exceptToken(said, tampered) : tampered));
  }

  const server = createServer((incoming, outgoing) => {
    answer(incoming, outgoing).catch(() => outgoing.destroy());
  });
  const port = await freePort();
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  return {
    origin: `http://127.0.0.1:${port}`,
    /** Of which onboarding those of its list are copies; before that it lists nothing. */
    lists: (onBoardingId: string) => {
      only = onBoardingId;
    },
    /** What is known by this document or id stays as it is, so that something can be done with it. */
    spares: (text: string) => {
      spared.push(text);
    },
    /** From now on a write is answered so; null: as the real provider answers it. */
    tells: (operation: string, told: Told | null) => {
      if (told === null) writes.delete(operation);
      else writes.set(operation, told);
    },
    /** How many answers it has given. */
    answered: () => answers,
    /** The next call learns that its token is none. */
    rejectToken: () => {
      rejections = 1;
    },
    stop: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}

export type TamperingProvider = Awaited<ReturnType<typeof startTamperingProvider>>;
