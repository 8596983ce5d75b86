import { EventEmitter, once } from "node:events";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { freePort } from "@/scripts/temporary-product.mjs";

/** A proxy before the service that counts what passes. */
export type CallCounter = {
  origin: string;
  tokenRequests: () => number;
  /** Of each call's address, how often it came; token requests apart. */
  calls: () => ReadonlyMap<string, number>;
  /** How many calls were answered with this status. */
  answered: (status: number) => number;
  /** What the last call was authorized by. */
  lastToken: () => string;
  /** Holds the next calls back until so many are here, or nobody came for a second; then lets all of them go. */
  gather: (calls: number) => void;
  /** Answers every call with this status from now on; token requests still pass. */
  refuseAll: (status: number) => void;
  forget: () => void;
  stop: () => Promise<void>;
};

const TOKEN_PATH = "/v1/authentication/oauth/access-token";
const QUIET_MS = 1_000;

const addOne = <Key>(counts: Map<Key, number>, key: Key) => void counts.set(key, (counts.get(key) ?? 0) + 1);

/** Everybody waits here for the last of those expected, but not longer than a second for the next one. */
function openGate(expected: number): () => Promise<void> {
  const gate = new EventEmitter().setMaxListeners(0);
  let arrived = 0;
  let isOpen = false;
  let quiet: NodeJS.Timeout | undefined;
  const open = () => {
    isOpen = true;
    gate.emit("open");
  };
  return async () => {
    if (isOpen) return;
    arrived += 1;
    clearTimeout(quiet);
    const opened = once(gate, "open");
    if (arrived >= expected) open();
    else quiet = setTimeout(open, QUIET_MS);
    await opened;
  };
}

function pass(origin: string, incoming: IncomingMessage, outgoing: ServerResponse): Promise<number> {
  return new Promise((resolve, reject) => {
    const { method, headers, url } = incoming;
    const onward = request(new URL(url ?? "/", origin), { method, headers });
    onward.once("response", (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
      answer.pipe(outgoing).once("finish", () => resolve(answer.statusCode ?? 502));
    });
    onward.once("error", reject);
    incoming.pipe(onward);
  });
}

/** Starts one before the service at `target`. */
export async function startCallCounter(target: string): Promise<CallCounter> {
  const calls = new Map<string, number>();
  const answers = new Map<number, number>();
  let tokenRequests = 0;
  let lastToken = "";
  let enter: (() => Promise<void>) | undefined;
  let refusal: number | undefined;

  const serve = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    if (incoming.url === TOKEN_PATH) {
      tokenRequests += 1;
      await pass(target, incoming, outgoing);
      return;
    }
    addOne(calls, `${incoming.method} ${incoming.url}`);
    lastToken = incoming.headers.authorization?.replace("Bearer ", "") ?? "";
    await enter?.();
    if (refusal === undefined) return addOne(answers, await pass(target, incoming, outgoing));
    outgoing.writeHead(refusal, { "content-type": "application/json" }).end('{"message":"refused by the bench"}');
    addOne(answers, refusal);
  };
  const server = createServer((incoming, outgoing) => {
    serve(incoming, outgoing).catch(() => outgoing.destroy());
  });
  const port = await freePort();
  await once(server.listen(port, "127.0.0.1"), "listening");
  return {
    origin: `http://127.0.0.1:${port}`,
    tokenRequests: () => tokenRequests,
    calls: () => calls,
    answered: (status) => answers.get(status) ?? 0,
    lastToken: () => lastToken,
    gather: (expected) => {
      enter = openGate(expected);
    },
    refuseAll: (status) => {
      refusal = status;
    },
    forget: () => {
      calls.clear();
      answers.clear();
      tokenRequests = 0;
    },
    stop: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}
