import { type Agent, get, type IncomingMessage } from "node:http";
import { z } from "zod";

const SPREAD_MS = 1_000;
const REST_MS = 3_000;

const Told = z.object({
  kind: z.string(),
  topic: z.string().optional(),
  asOf: z.string().optional(),
});

const Queue = z.object({
  asOf: z.string().nullable(),
  rows: z.array(z.object({ kycUUID: z.string(), status: z.string() })),
});
export type Queue = z.output<typeof Queue>;

/** Where a viewer sits: an instance, and the cookie of a session of their own. */
export type Seat = { origin: string; cookie: string; agent: Agent };

/** Somebody with the KYC queue open: one stream, and the queue read again whenever it tells of a change, as a browser does. */
export type Viewer = {
  /** How old what they see is, in ms; infinite before the first answer. */
  ageMs: () => number;
  reads: () => number;
  troubles: () => readonly string[];
  leave: () => void;
};

function bodyOf(answer: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = "";
    answer.setEncoding("utf8");
    answer.on("data", (part: string) => (text += part));
    answer.once("end", () => resolve(text));
    answer.once("error", reject);
  });
}

/** On a kept connection that the server was just closing it is asked again on a new one, as browsers do. */
function askForQueue({ origin, cookie, agent }: Seat): Promise<IncomingMessage> {
  const ask = (by: Agent | false) =>
    new Promise<IncomingMessage>((resolve, reject) => {
      const asked = get(`${origin}/api/kyc?status=all&page=1`, { agent: by, headers: { cookie } }, resolve);
      asked.once("error", (error) => (by !== false && asked.reusedSocket ? resolve(ask(false)) : reject(error)));
    });
  return ask(agent);
}

async function readQueue(seat: Seat): Promise<Queue> {
  const answer = await askForQueue(seat);
  const text = await bodyOf(answer);
  if (answer.statusCode !== 200) throw new Error(`the queue answered ${answer.statusCode}`);
  return Queue.parse(JSON.parse(text));
}

type Stream = { end: () => void };

/** The server's events; `broken` when the stream ends without our wish. */
function openStream(
  { origin, cookie }: Seat,
  { told, broken }: { told: (message: z.output<typeof Told>) => void; broken: (why: string) => void },
): Stream {
  let isWanted = true;
  const lost = (why: string) => isWanted && broken(why);
  const asked = get(`${origin}/api/live`, { agent: false, headers: { cookie } }, (answer) => {
    if (answer.statusCode !== 200) lost(`the stream answered ${answer.statusCode}`);
    let rest = "";
    answer.setEncoding("utf8");
    answer.on("data", (part: string) => {
      const frames = (rest + part).split("\n\n");
      rest = frames.pop() ?? "";
      for (const frame of frames) {
        const data = /^data: (.*)$/m.exec(frame)?.[1];
        if (data !== undefined) told(Told.parse(JSON.parse(data)));
      }
    });
    answer.once("close", () => lost("the stream ended"));
  });
  asked.once("error", (error) => lost(error.message));
  const end = () => {
    isWanted = false;
    asked.destroy();
  };
  return { end };
}

/** Sits down; `saw` is called with every answer of the queue. */
export function sitDown(seat: Seat, saw: (queue: Queue) => void): Viewer {
  const troubles: string[] = [];
  let asOfMs = Number.NEGATIVE_INFINITY;
  let reads = 0;
  let restUntilMs = 0;
  let timer: NodeJS.Timeout | undefined;

  const read = async () => {
    timer = undefined;
    restUntilMs = Date.now() + REST_MS;
    reads += 1;
    const [queue] = await Promise.allSettled([readQueue(seat)]);
    if (queue.status === "rejected") return void troubles.push(String(queue.reason));
    asOfMs = Math.max(asOfMs, Date.parse(queue.value.asOf ?? ""));
    saw(queue.value);
  };
  const ask = () => {
    const waitMs = Math.max(0, restUntilMs - Date.now()) + Math.random() * SPREAD_MS;
    timer ??= setTimeout(() => void read(), waitMs);
  };
  const stream = openStream(seat, {
    told: ({ kind, topic, asOf }) => {
      if (kind === "reset" || (kind === "changed" && topic === "kyc")) ask();
      if (kind === "fresh" && topic === "kyc" && timer === undefined) asOfMs = Math.max(asOfMs, Date.parse(asOf ?? ""));
      if (kind === "ended") troubles.push("the session ended");
    },
    broken: (why) => troubles.push(why),
  });
  ask();
  return {
    ageMs: () => Date.now() - asOfMs,
    reads: () => reads,
    troubles: () => troubles,
    leave: () => {
      clearTimeout(timer);
      stream.end();
    },
  };
}
