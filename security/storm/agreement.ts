import { Pool } from "pg";
import { z } from "zod";
import type { Desk, Policy } from "./product";
import { read } from "./wire";

/** One send of coins from its own wallet, of a unique amount. */
export type Send = {
  says: string;
  policy: Exclude<Policy, "above">;
  walletId: string;
  /** As typed, and as the record has it. */
  typed: string;
  amount: string;
  intentId: string;
  /** What went wrong in its story while the product runs. */
  faults: string[];
};

const Count = z.object({
  left: z.number(),
  held: z.number(),
  hash: z.string().nullable(),
  held_id: z.string().nullable(),
});
type Counted = z.infer<typeof Count>;

/** The chain, and what antifraud holds, in the service's own store. */
export function openChain(connectionString: string) {
  const pool = new Pool({ connectionString, max: 2 });
  const count = async ({ walletId }: Send): Promise<Counted> => {
    const { rows } = await pool.query(
      `select
        (select count(*)::int from chain_entry where wallet_id = $1 and subtype = 'outgoing') as left,
        (select min(hash) from chain_entry where wallet_id = $1 and subtype = 'outgoing') as hash,
        (select count(*)::int from antifraud_case where details ->> 'walletId' = $1 and status = 'HELD') as held,
        (select min(id::text) from antifraud_case where details ->> 'walletId' = $1 and status = 'HELD') as held_id`,
      [walletId],
    );
    return Count.parse(rows[0]);
  };
  return { count, close: () => pool.end() };
}
export type Chain = ReturnType<typeof openChain>;

const Approvals = z.object({
  rows: z.array(
    z.object({
      id: z.string(),
      state: z.string(),
      headline: z.object({ amount: z.string().optional() }).nullable(),
    }),
  ),
  totalPages: z.int(),
});
type Listed = z.infer<typeof Approvals>["rows"][number];

/** Every request of this desk, as its screen lists them. */
export async function requestsAt({ url, bystander }: Desk): Promise<Listed[]> {
  const found: Listed[] = [];
  for (const view of ["waiting", "decided"]) {
    for (let page = 1, pages = 1; page <= pages; page += 1) {
      const { data, word } = await read(url, bystander, `/api/approvals?view=${view}&page=${page}`);
      if (word !== "") throw new Error(`the approvals answered ${word}`);
      const { rows, totalPages } = Approvals.parse(JSON.parse(String(data)));
      found.push(...rows);
      pages = totalPages;
    }
  }
  return found;
}

type Shown = { states: string[]; isOpen: boolean; isAsked: boolean; isInHistory: boolean };
export type Seen = Counted & Shown;

async function pageAt({ url, bystander }: Desk, path: string): Promise<string> {
  const { ok, word, data } = await read(url, bystander, path);
  if (!ok) throw new Error(`${path} answered ${word}`);
  return String(data);
}

/** Another network, whose page waits for no history. */
const ELSEWHERE = "network=POLYGON";

/** The chain, and what the screens show of it. */
export async function lookAt(chain: Chain, desk: Desk, send: Send): Promise<Seen> {
  const counted = await chain.count(send);
  const requests = await requestsAt(desk);
  const wallet = `/wallets/${encodeURIComponent(send.walletId)}`;
  const page = await pageAt(desk, `${wallet}?${ELSEWHERE}`);
  const asked = await pageAt(desk, "/outcomes");
  const history = await pageAt(desk, `/api${wallet}/history?network=ETHEREUM`);
  return {
    ...counted,
    states: requests.filter(({ headline }) => headline?.amount === send.amount).map(({ state }) => state),
    isOpen: page.includes("open-sends"),
    isAsked: asked.includes(send.intentId),
    isInHistory: counted.hash !== null && history.includes(counted.hash),
  };
}

const ENDED = ["FAILED", "EXPIRED", "REFUSED", "WITHDRAWN"];
const all = (states: readonly string[], ...among: string[]) => states.every((state) => among.includes(state));

/** The record's view in a word; null when it contradicts the chain. */
export function agreedAs({ left, held, states, isOpen, isAsked, isInHistory }: Seen): string | null {
  if (left + held > 1) return null;
  if (left === 1) return isInHistory && !isOpen && !isAsked && all(states, "EXECUTED") ? "done" : null;
  if (held === 1 && !isAsked) return isOpen && all(states, "HELD") ? "held" : null;
  // No history shows a hold: if the console lost the answer, it stays unknown until the release.
  if (isAsked) return isOpen && all(states, "UNKNOWN") ? "asked of people" : null;
  if (states.includes("PENDING")) return isOpen && states.length === 1 ? "waits" : null;
  return !isOpen && all(states, ...ENDED) ? (states[0]?.toLowerCase() ?? "not ordered") : null;
}

export const saysSeen = ({ left, held, states, isOpen, isAsked, isInHistory }: Seen): string =>
  [
    `left ${left}`,
    `held ${held}`,
    `requests ${states.join("+") || "none"}`,
    ...(isOpen ? ["open at its wallet"] : []),
    ...(isAsked ? ["asked of people"] : []),
    ...(isInHistory ? ["in the history"] : []),
  ].join(", ");
