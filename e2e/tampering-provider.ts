import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { freePort } from "@/scripts/temporary-product.mjs";
import { PAYLOADS } from "./payload-list";

/** What must keep its form, or the answer would be refused as a whole: ids, times, amounts, documents, addresses. */
const FORMED = /^([0-9a-f-]{32,36}|\d{4}-\d\d-\d\d.*|[\d.,/-]*|0x[0-9a-fA-F]+|[13bT][0-9A-Za-z]{25,62})$/;
/** Which customer an answer is of, and how its pages go on. */
const LEFT_ALONE = /^(id|.*Id|.*UUID|documentNumber|vatNumber|document|network|currency|asset)$/;

/** One payload after the other in each field by itself, so that every field gets every one of them in time. */
function createMutation() {
  const turns = new Map<string, number>();
  let strings = 0;
  function mutate(value: unknown, field: string): unknown {
    if (Array.isArray(value)) {
      // One entry for each payload: their texts and links are what a customer's own data reaches.
      const many = /\bmessages$/.test(field) && value.length > 0 ? PAYLOADS.map(() => value[0]) : value;
      return many.map((one) => mutate(one, field));
    }
    if (typeof value === "object" && value !== null) {
      return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, mutate(one, `${field}.${name}`)]));
    }
    const name = field.split(".").at(-1) ?? "";
    if (typeof value !== "string" || FORMED.test(value) || LEFT_ALONE.test(name)) return value;
    const turn = turns.get(field) ?? 0;
    turns.set(field, turn + 1);
    strings += 1;
    const payload = PAYLOADS[turn % PAYLOADS.length] ?? "";
    return /url$/i.test(name) ? payload : `${value} ${payload}`;
  }
  const told = () => ({
    strings,
    fields: turns.size,
    fieldsWithAll: [...turns.values()].filter((turn) => turn >= PAYLOADS.length).length,
  });
  return { mutate, told };
}

async function bytesOf(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}

const HEADERS = ["authorization", "x-client-id", "content-type", "idempotency-key"];

/**
 * A provider that puts payloads into every text of what the real one at `serviceUrl` answers. `told`: how many texts of how
 * many fields were tampered with so far, and how many of these have had every payload.
 */
export async function startTamperingProvider(serviceUrl: string) {
  const { mutate, told } = createMutation();

  async function answer(incoming: IncomingMessage, outgoing: ServerResponse) {
    const { method = "GET", url = "/", headers } = incoming;
    const body = await bytesOf(incoming);
    const kept = HEADERS.flatMap((name) => (typeof headers[name] === "string" ? [[name, headers[name]] as const] : []));
    const real = await fetch(serviceUrl + url, {
      method,
      headers: Object.fromEntries(kept),
      ...(body.length > 0 && { body: new Uint8Array(body) }),
    });
    const text = await real.text();
    const isPlain = url.includes("/authentication/") || !real.headers.get("content-type")?.includes("json");
    const path = new URL(url, serviceUrl).pathname.replaceAll(/[0-9a-f-]{32,36}|0x\w+/g, "*");
    outgoing.writeHead(real.status, { "content-type": real.headers.get("content-type") ?? "text/plain" });
    outgoing.end(isPlain ? text : JSON.stringify(mutate(JSON.parse(text), path)));
  }

  const server = createServer((incoming, outgoing) => {
    answer(incoming, outgoing).catch(() => outgoing.destroy());
  });
  const port = await freePort();
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  return {
    origin: `http://127.0.0.1:${port}`,
    told,
    stop: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}
