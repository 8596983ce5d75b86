import { Agent, get } from "node:http";
import { parseArgs } from "node:util";
import { root, say } from "@/scripts/program.mjs";
import { printBounds } from "./bound";
import { requireBuild, startInstance, startNext, withProduct } from "./product";

const MOST_TIMES = 1.25;
const ROUNDS = 20;
const WARM_UP = 300;

/** How long the head of that page takes, in ms; throws on anything but a 200. */
function firstByte(agent: Agent, address: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const startedAtMs = performance.now();
    get(address, { agent }, (answer) => {
      const tookMs = performance.now() - startedAtMs;
      answer.resume().once("end", () => {
        if (answer.statusCode === 200) resolve(tookMs);
        else reject(new Error(`${address} answered ${answer.statusCode}`));
      });
    }).once("error", reject);
  });
}

async function inTurn(agent: Agent, address: string, times: number): Promise<number[]> {
  const tookMs: number[] = [];
  for (let time = 0; time < times; time += 1) tookMs.push(await firstByte(agent, address));
  return tookMs;
}

const middle = (tookMs: readonly number[]): number =>
  tookMs.toSorted((one, other) => one - other)[Math.floor(tookMs.length / 2)] ?? Number.NaN;

/** What the front server adds to a page's first byte (headers, nonce, refusals), beside Next alone over the same build. */
export async function take(flags: readonly string[]): Promise<boolean> {
  const { values } = parseArgs({ args: [...flags], options: { requests: { type: "string", default: "4000" } } });
  await requireBuild();
  return withProduct({}, async ({ service, consoleEnvironment }, onClose) => {
    const environment = consoleEnvironment(service.origin);
    const fixture = await startInstance(environment);
    onClose(fixture.stop);
    const bare = await startNext(root, environment);
    onClose(bare.stop);
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const tookMs: Record<"front" | "next", number[]> = { front: [], next: [] };
    const pages = { front: `${fixture.origin}/sign-in`, next: `${bare.origin}/sign-in` };
    for (const page of Object.values(pages)) await inTurn(agent, page, WARM_UP);
    for (let round = 0; round < ROUNDS; round += 1) {
      tookMs.next.push(...(await inTurn(agent, pages.next, Number(values.requests) / ROUNDS)));
      tookMs.front.push(...(await inTurn(agent, pages.front, Number(values.requests) / ROUNDS)));
    }
    agent.destroy();
    const [front, next] = [middle(tookMs.front), middle(tookMs.next)];
    say(
      `first byte of /sign-in: ${front.toFixed(2)} ms behind the front server, ${next.toFixed(2)} ms from Next alone`,
    );
    const ratio = front / next;
    const is = `${ratio.toFixed(3)} times (at most ${MOST_TIMES})`;
    return printBounds([
      { what: "the middle first byte behind the front server beside Next alone", is, isMet: ratio <= MOST_TIMES },
    ]);
  });
}
