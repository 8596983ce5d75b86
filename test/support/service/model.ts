import * as fc from "fast-check";
import { expect } from "vitest";
import { z } from "zod";
import { losslessNumber } from "@/lib/contract/json";
import { centsToReais, reaisToCents } from "@/service/ledger/account";
import { expectBalancedBooks } from "./ledger";
import { BOREAL, type Harness, startService } from "./harness";
import { type Account, balanceOf, openAccount, statementOf, ted, transfer } from "./transfers";
import { Model, type Order } from "@/service/model/model";

const HOUR_MS = 3_600_000;

/** Around the thresholds of antifraud on both sides, and many small ones. */
const cents = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 1, max: 30_000 }) },
  { weight: 2, arbitrary: fc.integer({ min: 999_990, max: 1_000_010 }) },
  { weight: 1, arbitrary: fc.integer({ min: 1_000_000, max: 3_000_000 }) },
  { weight: 1, arbitrary: fc.integer({ min: 99_999_990, max: 100_000_010 }) },
);
const which = fc.nat(1_000);
const sides = { from: which, to: fc.option(which, { freq: 4 }), cents };
const key = fc.option(fc.constantFrom("key-1", "key-2", "key-3"), { nil: undefined });
const happening = <const Kind extends string, Fields extends object>(
  kind: Kind,
  fields: { [Name in keyof Fields]: fc.Arbitrary<Fields[Name]> },
) => fc.record<Fields>(fields).map((rest) => ({ kind, ...rest }));

/** Possible steps. A failing run shrinks towards the first: only looking. */
export const steps = fc.oneof(
  { withCrossShrink: true },
  { weight: 1, arbitrary: happening("look", {}) },
  { weight: 2, arbitrary: happening("open", {}) },
  { weight: 6, arbitrary: happening("credit", { to: which, cents }) },
  { weight: 16, arbitrary: happening("order", { ...sides, key }) },
  { weight: 2, arbitrary: happening("order to a stranger", { from: which, cents }) },
  { weight: 4, arbitrary: happening("ask again", { which }) },
  { weight: 2, arbitrary: happening("ask twice at once", sides) },
  { weight: 6, arbitrary: happening("decide", { which, decision: fc.constantFrom("RELEASE", "REJECT") }) },
  { weight: 3, arbitrary: happening("close", { which }) },
  {
    weight: 3,
    arbitrary: happening("wait", { milliseconds: fc.constantFrom(1, HOUR_MS, 23.5 * HOUR_MS, 24 * HOUR_MS) }),
  },
  { weight: 2, arbitrary: happening("restart", {}) },
);
export type Step = typeof steps extends fc.Arbitrary<infer Value> ? Value : never;

function expectSame(found: unknown, wanted: unknown): void {
  expect(found).toEqual(wanted);
}

type Reply = { status: number; body: unknown };

const Made = z.union([
  z.looseObject({ data: z.looseObject({ transactionId: z.string() }) }).transform(({ data }) => data.transactionId),
  z.looseObject({ antifraudId: z.string() }).transform(({ antifraudId }) => antifraudId),
]);
const idIn = ({ body }: Reply): string => Made.safeParse(body).data ?? "";

const reais = (amount: number) => centsToReais(BigInt(amount));
const OPENS_WITHIN_MS = 4_000;
const ACCOUNTS_AT_MOST = 6;

/** A service and its model, which take the same steps. */
export class World {
  private readonly model = new Model();
  private readonly accounts: Account[] = [];
  /** Orders sent under a key, with their first answers. */
  private readonly keyed: { order: Order; reply: Reply }[] = [];
  private fresh = 0;

  private constructor(
    private service: Harness,
    private readonly stranger: Account,
  ) {}

  static async begin(): Promise<World> {
    const service = await startService({ environment: { SERVICE_RATE_LIMIT_PER_MINUTE: "1000000" } });
    const stranger = await openAccount(service, { tenant: BOREAL, reais: 1 });
    const world = new World(service, stranger);
    world.model.advance(OPENS_WITHIN_MS);
    for (const opening of [500, 20_000]) {
      await world.open();
      await world.credit(world.accounts.length - 1, opening * 100);
    }
    return world;
  }

  async perform(step: Step): Promise<void> {
    await this.wait(1);
    await this.carryOut(step);
    await this.expectSameBalances();
    await expectBalancedBooks(this.service.call().db);
  }

  async expectSameStatements(): Promise<void> {
    for (const account of this.accounts) {
      const found = (await statementOf(this.service, account)).map(({ transactionId, type, direction, amount }) => {
        const moved = Number(reaisToCents(amount));
        return { id: transactionId, type, cents: direction === "CREDIT" ? moved : -moved };
      });
      expectSame(found, this.model.accounts.get(account.accountId)?.entries.toReversed());
    }
  }

  private async carryOut(step: Step): Promise<void> {
    switch (step.kind) {
      case "look":
        return this.expectSameStatements();
      case "open":
        return this.accounts.length < ACCOUNTS_AT_MOST ? this.open() : undefined;
      case "credit":
        return this.credit(step.to, step.cents);
      case "order":
        return this.order(this.orderOf(step, step.key));
      case "order to a stranger":
        return this.order({ from: this.at(step.from).accountId, to: this.stranger.accountId, cents: step.cents });
      case "ask again": {
        const asked = this.keyed[step.which % Math.max(1, this.keyed.length)];
        return asked && this.order(asked.order);
      }
      case "ask twice at once":
        this.fresh += 1;
        return this.orderTwice(this.orderOf(step, `fresh-${this.fresh}`));
      case "decide":
        return this.decide(step.which, step.decision);
      case "close":
        return this.close(step.which);
      case "wait":
        return this.wait(step.milliseconds);
      case "restart":
        this.service = await this.service.restart();
        return undefined;
    }
  }

  private async wait(milliseconds: number): Promise<void> {
    await this.service.advance(milliseconds);
    this.model.advance(milliseconds);
  }

  private at(index: number): Account {
    const account = this.accounts[index % this.accounts.length];
    if (!account) throw new Error("no account is open");
    return account;
  }

  private orderOf(
    { from, to, cents: amount }: { from: number; to: number | null; cents: number },
    name?: string,
  ): Order {
    const sent = { from: this.at(from).accountId, to: to === null ? null : this.at(to).accountId, cents: amount };
    return name === undefined ? sent : { ...sent, key: name };
  }

  private async open(): Promise<void> {
    const account = await openAccount(this.service);
    this.model.advance(OPENS_WITHIN_MS);
    this.accounts.push(account);
    this.model.open(account.accountId);
  }

  private async credit(index: number, amount: number): Promise<void> {
    const { accountId } = this.at(index);
    const path = `/sandbox/bank-accounts/${accountId}/credit`;
    const reply = await this.service.control("POST", path, { amount: losslessNumber(reais(amount)) });
    expectSame(reply.status, this.model.credit(accountId, amount, idIn(reply)));
  }

  private send({ from, to, cents: amount, key: name }: Order): Promise<Reply> {
    const every = [...this.accounts, this.stranger];
    const account = (id: string) => every.find(({ accountId }) => accountId === id) ?? this.stranger;
    const asked = { amount: losslessNumber(reais(amount)), ...(name !== undefined && { key: name }) };
    return to === null
      ? ted(this.service, account(from), asked)
      : transfer(this.service, [account(from), account(to)], asked);
  }

  private async order(order: Order): Promise<void> {
    const isAgain = this.model.repeats(order);
    const reply = await this.send(order);
    expectSame(reply.status, this.model.order(order, idIn(reply)));
    if (isAgain) expectSame(reply.body, this.keyed.findLast((earlier) => earlier.order.key === order.key)?.reply.body);
    else if (order.key !== undefined && reply.status !== 400 && reply.status !== 409) this.keyed.push({ order, reply });
  }

  private async orderTwice(order: Order): Promise<void> {
    const replies = await Promise.all([this.send(order), this.send(order)]);
    const answered = replies.filter(({ status }) => status !== 409);
    const [first] = answered;
    if (!first) throw new Error("neither of two equal requests was answered");
    expectSame(first.status, this.model.order(order, idIn(first)));
    for (const { body } of answered) expectSame(body, first.body);
  }

  private async decide(index: number, decision: "RELEASE" | "REJECT"): Promise<void> {
    const ids = [...this.model.held.keys()];
    const id = ids[index % Math.max(1, ids.length)] ?? "5a0d4bd0-2f0e-4d0b-9d1e-0d9a6b8f1c11";
    const reply = await this.service.control("POST", `/sandbox/transactions/${id}`, { decision });
    expectSame(reply.status, this.model.decide(id, decision));
  }

  private async close(index: number): Promise<void> {
    const { accountId, tenant } = this.at(index);
    const consent = { userId: "user", userAccessToken: "token", code: "123456", reason: "moving" };
    const body = { ...consent, account: accountId };
    const reply = await this.service.send("POST", "/v1/bank-accounts/closeAccount", { body, tenant });
    expectSame(reply.status, this.model.close(accountId));
  }

  private async expectSameBalances(): Promise<void> {
    for (const account of this.accounts) {
      const { available = -1, blocked = -1 } = this.model.accounts.get(account.accountId) ?? {};
      expectSame(await balanceOf(this.service, account), [reais(available), reais(blocked)]);
    }
    expectSame(await balanceOf(this.service, this.stranger), ["1.00", "0.00"]);
  }
}
