/** In cents; `to` null: a TED. */
export type Order = { from: string; to: string | null; cents: number; key?: string };
type Entry = { id: string; type: "PIX" | "INTERNAL" | "TED"; cents: number };
type Account = { available: number; blocked: number; isClosed: boolean; entries: Entry[] };
type HeldOrder = Order & { expiresAtMs: number; status: "HELD" | "RELEASED" | "REJECTED" | "EXPIRED" };
type GivenOrder = { order: Order; status: number; atMs: number };

const DAY_MS = 24 * 3_600_000;
const HOLD_FROM = 1_000_000;
const BLOCK_FROM = 100_000_000;

const isSame = (one: Order, other: Order) =>
  one.from === other.from && one.to === other.to && one.cents === other.cents;

/** The rules in their simplest form: no database, no concurrency. Each operation returns an HTTP status. */
export class Model {
  readonly accounts = new Map<string, Account>();
  readonly held = new Map<string, HeldOrder>();
  private readonly given = new Map<string, GivenOrder>();
  private nowMs = 0;

  open(id: string): void {
    this.accounts.set(id, { available: 0, blocked: 0, isClosed: false, entries: [] });
  }

  credit(to: string, cents: number, id: string): number {
    const account = this.accounts.get(to);
    if (!account) return 404;
    if (account.isClosed) return 422;
    this.enter(account, { id, type: "PIX", cents });
    return 200;
  }

  repeats(order: Order): boolean {
    const given = this.givenFor(order);
    return given !== undefined && isSame(given.order, order);
  }

  /** `id`: the service's, if it made one. */
  order(order: Order, id: string): number {
    if (order.from === order.to) return 400;
    const given = this.givenFor(order);
    if (given) return isSame(given.order, order) ? given.status : 409;
    const status = this.carryOut(order, id);
    if (order.key !== undefined) this.given.set(order.key, { order, status, atMs: this.nowMs });
    return status;
  }

  decide(id: string, decision: "RELEASE" | "REJECT"): number {
    const held = this.held.get(id);
    if (!held) return 404;
    if (held.status !== "HELD") return 409;
    if (decision === "RELEASE") return this.release(held, id);
    this.giveBack(held, "REJECTED");
    return 200;
  }

  close(id: string): number {
    const account = this.accounts.get(id);
    if (!account) return 404;
    if (account.isClosed || account.available > 0 || account.blocked > 0) return 422;
    account.isClosed = true;
    return 200;
  }

  advance(milliseconds: number): void {
    this.nowMs += milliseconds;
    for (const held of this.held.values())
      if (held.status === "HELD" && held.expiresAtMs <= this.nowMs) this.giveBack(held, "EXPIRED");
  }

  private givenFor({ key }: Order): GivenOrder | undefined {
    const given = key === undefined ? undefined : this.given.get(key);
    return given && this.nowMs < given.atMs + DAY_MS ? given : undefined;
  }

  private carryOut(order: Order, id: string): number {
    const from = this.accounts.get(order.from);
    const to = order.to === null ? null : this.accounts.get(order.to);
    if (!from || to === undefined) return 404;
    if (from.isClosed || to?.isClosed || from.available < order.cents) return 422;
    if (order.cents >= BLOCK_FROM) return 403;
    if (order.cents < HOLD_FROM) {
      this.move(order, id);
      return 200;
    }
    from.available -= order.cents;
    from.blocked += order.cents;
    this.held.set(id, { ...order, expiresAtMs: this.nowMs + DAY_MS, status: "HELD" });
    return 202;
  }

  private release(held: HeldOrder, id: string): number {
    const to = held.to === null ? null : this.accounts.get(held.to);
    if (to?.isClosed) return 422;
    this.giveBack(held, "RELEASED");
    this.move(held, id);
    return 200;
  }

  private giveBack(held: HeldOrder, status: HeldOrder["status"]): void {
    const from = this.accounts.get(held.from);
    if (!from) return;
    from.blocked -= held.cents;
    from.available += held.cents;
    held.status = status;
  }

  private move({ from, to, cents }: Order, id: string): void {
    const type = to === null ? "TED" : "INTERNAL";
    const source = this.accounts.get(from);
    const target = to === null ? undefined : this.accounts.get(to);
    if (source) this.enter(source, { id, type, cents: -cents });
    if (target) this.enter(target, { id, type, cents });
  }

  private enter(account: Account, entry: Entry): void {
    account.available += entry.cents;
    account.entries.push(entry);
  }
}
