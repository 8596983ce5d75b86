import { randomUUID } from "node:crypto";
import { once } from "node:events";
import type { Account } from "@/bench/service/population";
import { launch } from "@/bench/service/program";
import type { Service } from "@/bench/service/service-process";
import type { Dice } from "@/bench/storm/dice";
import type { Fault, RawAnswer } from "./fault";
import { type FaultProxy, startFaultProxy } from "./fault-proxy";
import { type Label, LABELS, type Life, OWN_LABELS } from "./life";

/** A line of console processes over one store, each killed while it orders a transfer, each taking up what was left. */
export type KillLine = {
  from: Account;
  /** Every transfer that was ordered, killed or not. */
  ordered: readonly string[];
  kills: Readonly<Record<string, number>>;
};

type Given = {
  service: Service;
  dice: Dice;
  /** Two of its own. */
  accounts: readonly [Account, Account];
  /** Of a console whose provider is at `origin`. */
  environment: (origin: string) => Record<string, string>;
  kills: number;
  onKill: () => void;
};

const ROUTE = "POST /v1/bank-accounts/generateInternalTransferRequest";
const AMOUNTS = ["0.01", "10.10", "999.99"] as const;

const PARTS: Record<string, (answer: RawAnswer) => Buffer> = {
  "half-head": ({ head }) => head.subarray(0, Math.floor(head.byteLength / 2)),
  "half-body": ({ head, body }) => Buffer.concat([head, body.subarray(0, Math.floor(body.byteLength / 2))]),
};

/** Kills whoever asks: before the service hears of it, or after it was carried out and some of the answer left. */
function deadly(label: Label, kill: () => void): Fault {
  const part = PARTS[label];
  return {
    name: label,
    isForwarded: label !== "request-received",
    strike: (socket, answer) => {
      if (part === undefined) kill();
      else socket.write(part(answer), kill);
    },
  };
}

const isOwn = (label: Label): label is (typeof OWN_LABELS)[number] => OWN_LABELS.some((own) => own === label);

type Wish = { environment: Record<string, string>; life: Life; proxy: FaultProxy; label: Label | null };

/** One process from its start to its end; true when it was killed. */
async function liveOnce({ environment, life, proxy, label }: Wish): Promise<boolean> {
  const { child } = launch({
    file: "bench/bank/victim-process.ts",
    environment: { ...environment, LIFE: JSON.stringify(life) },
  });
  const kill = () => void child.kill("SIGKILL");
  const arm = () => {
    if (label !== null && !isOwn(label)) proxy.harm(ROUTE, deadly(label, kill), 1);
  };
  if (life.mayDieRecovering) arm();
  child.once("message", () => {
    if (!life.mayDieRecovering) arm();
    child.send("order");
  });
  await once(child, "exit");
  proxy.heal();
  if (child.signalCode === "SIGKILL") return true;
  if (child.exitCode !== 0) throw new Error(`a console process ended with code ${child.exitCode}`);
  return false;
}

/** Lives until so many were killed, then one more, which is left alone. */
export async function runKillLine({ service, dice, accounts, environment, kills, onKill }: Given): Promise<KillLine> {
  const [from, to] = accounts;
  const proxy = await startFaultProxy(service.origin);
  const staffId = randomUUID();
  const ordered: string[] = [];
  const counts: Record<string, number> = {};
  const parties = { accountIdFrom: from.accountId, accountIdTo: to.accountId };
  const settings = environment(proxy.origin);
  let killed = 0;
  while (killed < kills) {
    const label = LABELS[(killed + dice.below(2)) % LABELS.length] ?? dice.pick(LABELS);
    const intentId = randomUUID();
    const life: Life = {
      staffId,
      order: { intentId, ...parties, amount: dice.pick(AMOUNTS) },
      diesAt: isOwn(label) ? label : null,
      mayDieRecovering: dice.chance(15),
    };
    ordered.push(intentId);
    if (!(await liveOnce({ environment: settings, life, proxy, label }))) continue;
    counts[label] = (counts[label] ?? 0) + 1;
    killed += 1;
    onKill();
  }
  const last: Life = { staffId, order: null, diesAt: null, mayDieRecovering: false };
  await liveOnce({ environment: settings, life: last, proxy, label: null });
  await proxy.stop();
  return { from, ordered, kills: counts };
}
