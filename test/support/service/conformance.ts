import { serve } from "@hono/node-server";
import { once } from "node:events";
import { type IncomingHttpHeaders, request } from "node:http";
import { completeCnpj, completeCpf } from "@/lib/contract/document";
import { type Operation, operations } from "@/service/gateway/operations";
import { PROSE } from "@/service/openapi/prose";
import { type Harness, readReply } from "./harness";

/** A CPF with these characters before its check digits, or a company's CNPJ with them before its branch. */
export const cpfEnding = (ending: string) => completeCpf(`123456${ending}`);
export const cnpjEnding = (ending: string) => completeCnpj(`12345${ending}0001`);

export const person = {
  backgroundcheckModel: "BASIC",
  vatNumber: cpfEnding("789"),
  name: "Maria Aparecida dos Santos",
  birthDate: "07-09-1984",
  motherName: "Josefa dos Santos",
};
export const member = {
  ownerType: "SOCIO_ADMINISTRADOR",
  vatNumber: cpfEnding("789"),
  name: "João Batista",
  birthDate: "01-02-1970",
  motherName: "Ana Batista",
};
export const company = {
  backgroundcheckModel: "COMPLETE",
  vatNumber: cnpjEnding("678"),
  legalName: "Padaria Estrela Ltda",
  qsa: [member],
};

type Tree = Readonly<Record<string, unknown>>;
export const isTree = (value: unknown): value is Tree => typeof value === "object" && value !== null;

/** The same body with another value at the dotted path, or without it when the value is undefined. */
export function altered(body: Tree, path: string, value?: unknown): Tree {
  const [name = "", ...deeper] = path.split(".");
  const inner = body[name];
  if (Array.isArray(inner) && deeper.length > 1) {
    const [index, ...rest] = deeper;
    const items = inner.map((item, at) =>
      String(at) === index && isTree(item) ? altered(item, rest.join("."), value) : item,
    );
    return { ...body, [name]: items };
  }
  if (isTree(inner) && deeper.length > 0) return { ...body, [name]: altered(inner, deeper.join("."), value) };
  return Object.fromEntries(Object.entries({ ...body, [name]: value }).filter(([, stored]) => stored !== undefined));
}

/** Sends a request without a tenant's token or client id, with only these headers. */
export async function ask({ app }: Harness, line: readonly [string, string], headers: Record<string, string> = {}) {
  const [method, path] = line;
  return readReply(await app.request(path, { method, headers }));
}

type Sent = { headers?: Record<string, string>; chunks?: readonly Uint8Array[] };
type Received = { status: number | undefined; headers: IncomingHttpHeaders; text: string };

function exchange(port: number, [method, path]: readonly [string, string], { headers, chunks = [] }: Sent) {
  return new Promise<Received>((resolve, reject) => {
    const sent = request({ host: "127.0.0.1", port, method, path, headers: { ...headers, connection: "close" } });
    sent.on("error", reject).on("response", (answer) => {
      let text = "";
      answer.setEncoding("utf8").on("data", (part: string) => (text += part));
      answer.on("end", () => resolve({ status: answer.statusCode, headers: answer.headers, text }));
    });
    for (const chunk of chunks) sent.write(chunk);
    sent.end();
  });
}

/** Sends the head and the first byte of the body, and disconnects. */
function breakOff(port: number, [method, path]: readonly [string, string], headers: Record<string, string>) {
  return new Promise<void>((resolve) => {
    const sent = request({ host: "127.0.0.1", port, method, path, headers });
    sent.on("error", () => resolve());
    sent.write("{", () => sent.destroy(new Error("hung up")));
  });
}

/** The service behind a socket; `exchange` sends exactly the given bytes. */
export async function onSocket({ app }: Harness) {
  const server = serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" });
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  return {
    exchange: (line: readonly [string, string], sent: Sent = {}) => exchange(port, line, sent),
    breakOff: (line: readonly [string, string], headers: Record<string, string>) => breakOff(port, line, headers),
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

const OPERATIONS = new Map<string, Operation>(Object.entries(operations));

/** Each operation that changes something, with each example of its body: one without any fails. */
export const commandExamples = () =>
  Object.entries(PROSE).flatMap(([id, { requests }]) => {
    const operation = OPERATIONS.get(id);
    if (operation === undefined || operation.method === "GET") return [];
    if (requests === undefined) throw new Error(`${id} has no example in service/openapi/prose.ts`);
    return Object.entries(requests).map(([which, { value }]) => ({ ...operation, id, which, example: value }));
  });
