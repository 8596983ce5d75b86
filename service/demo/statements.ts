import type { ENTRY_TYPES } from "@/lib/contract/accounts";
import type { AccountFacts } from "@/service/accounts/directory";
import type { Closing } from "@/service/accounts/list-accounts";
import { type LedgerAccount, linesBetween, type Movement } from "@/service/ledger/account";
import { type Dice, list, someCents, someName } from "./people";

/** `when`: a day of the month, or a chance on any day. `{number}` is an order or invoice, `{name}` a person. */
type Habit = {
  side: "in" | "out";
  type: (typeof ENTRY_TYPES)[number];
  texts: readonly string[];
  reais: readonly [from: number, to: number];
  when: { dayOfMonth: number } | { chance: number };
};

const monthly = (dayOfMonth: number) => ({ dayOfMonth });
const daily = (chance: number) => ({ chance });

const SHOPS = list("Supermercado, Feira livre, Padaria, Açougue, Hortifrúti, Mercado do bairro, Atacarejo");
const OUTINGS = list(
  "Farmácia, Posto de combustível, Transporte por aplicativo, Restaurante, Pet shop, Cinema, Livraria",
);
const BILLS = list("Conta de luz, Conta de água, Internet fibra, Gás encanado");
const SUPPLIES = list(
  "Fornecedor de insumos, Frete, Embalagens, Material de limpeza, Peças e manutenção, Anúncios, Mercadorias",
);

const PERSON_HABITS: readonly Habit[] = [
  { side: "in", type: "TED", texts: ["Salário"], reais: [3_200, 9_800], when: monthly(5) },
  { side: "out", type: "PIX", texts: ["Aluguel"], reais: [900, 2_600], when: monthly(10) },
  { side: "out", type: "PIX", texts: BILLS, reais: [70, 260], when: monthly(12) },
  {
    side: "out",
    type: "PIX",
    texts: ["Plano de saúde", "Mensalidade escolar", "Academia"],
    reais: [110, 780],
    when: monthly(16),
  },
  { side: "out", type: "PIX", texts: SHOPS, reais: [15, 320], when: daily(0.3) },
  { side: "out", type: "PIX", texts: OUTINGS, reais: [12, 160], when: daily(0.2) },
  { side: "in", type: "PIX", texts: ["PIX recebido de {name}"], reais: [20, 450], when: daily(0.09) },
  { side: "out", type: "PIX", texts: ["PIX enviado para {name}"], reais: [20, 380], when: daily(0.07) },
  {
    side: "out",
    type: "TED",
    texts: ["TED para poupança", "TED para corretora"],
    reais: [200, 1_500],
    when: daily(0.012),
  },
];

const COMPANY_HABITS: readonly Habit[] = [
  { side: "out", type: "FEE", texts: ["Tarifa de manutenção da conta PJ"], reais: [39, 39], when: monthly(1) },
  { side: "out", type: "TED", texts: ["Folha de pagamento"], reais: [6_000, 18_000], when: monthly(5) },
  { side: "out", type: "PIX", texts: ["Aluguel do ponto comercial"], reais: [2_500, 7_000], when: monthly(10) },
  { side: "out", type: "PIX", texts: ["DAS Simples Nacional"], reais: [800, 3_200], when: monthly(20) },
  {
    side: "in",
    type: "PIX",
    texts: ["Venda pedido {number}", "Venda balcão {number}"],
    reais: [40, 900],
    when: daily(0.8),
  },
  { side: "in", type: "PIX", texts: ["Venda on-line {number}"], reais: [60, 1_200], when: daily(0.5) },
  { side: "in", type: "TED", texts: ["Recebimento NF {number}"], reais: [1_500, 12_000], when: daily(0.09) },
  { side: "out", type: "PIX", texts: SUPPLIES, reais: [120, 2_400], when: daily(0.35) },
  { side: "out", type: "TED", texts: ["Fornecedor NF {number}"], reais: [900, 6_000], when: daily(0.06) },
];

export type DemoAccount = Pick<AccountFacts, "id" | "onboardingId"> & {
  holderType: "PF" | "PJ";
  available: LedgerAccount;
  blocked: LedgerAccount;
  openedAtMs: number;
  closing: Closing | null;
  activity: number;
  income: bigint;
};

type Scene = { accounts: readonly DemoAccount[]; world: LedgerAccount; nowMs: number; newId: () => string };

type Planned = Pick<Movement, "type" | "description"> & {
  atMs: number;
  cents: bigint;
  from: LedgerAccount;
  to: LedgerAccount;
  isEverything?: boolean;
};

const STATEMENT_DAYS = 90;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const SAO_PAULO_OFFSET_MS = -3 * HOUR_MS;
/** The share of its usual business; people spend the same on weekends. */
const COMPANY_AT_WEEKEND = 0.35;
const TED_FEE_CENTS = 890n;
const MAINTENANCE_FEE_CENTS = 3_990n;

/** Brazil has had no summer time since 2019. */
function midnight(nowMs: number, daysBack: number): number {
  const today = Math.floor((nowMs + SAO_PAULO_OFFSET_MS) / DAY_MS);
  return (today - daysBack) * DAY_MS - SAO_PAULO_OFFSET_MS;
}

const civil = (midnightMs: number) => new Date(midnightMs + SAO_PAULO_OFFSET_MS);
const dayOfMonth = (midnightMs: number) => civil(midnightMs).getUTCDate();

/** 0 on a business day, else until Monday. */
function untilBusinessDayMs(midnightMs: number): number {
  const weekday = civil(midnightMs).getUTCDay();
  if (weekday === 6) return 2 * DAY_MS;
  return weekday === 0 ? DAY_MS : 0;
}

function wording(dice: Dice, text: string): string {
  return text.replace("{name}", () => someName(dice)).replace("{number}", () => String(dice.int(10_000, 99_999)));
}

function comesTrue(dice: Dice, { when }: Habit, { day, activity }: { day: number; activity: number }): boolean {
  return "dayOfMonth" in when ? when.dayOfMonth === day : dice.chance(when.chance * activity);
}

function followHabit(dice: Dice, habit: Habit, { account, world, nowMs }: Scene & { account: DemoAccount }): Planned[] {
  const [least, most] = habit.reais;
  const usual = habit.type === "FEE" ? MAINTENANCE_FEE_CENTS : someCents(dice, least, most);
  const fixed = habit.side === "in" ? usual * account.income : usual;
  const planned: Planned[] = [];
  for (let daysBack = STATEMENT_DAYS; daysBack >= 0; daysBack -= 1) {
    const start = midnight(nowMs, daysBack);
    const waitMs = untilBusinessDayMs(start);
    const isQuiet = waitMs > 0 && account.holderType === "PJ";
    const activity = isQuiet ? account.activity * COMPANY_AT_WEEKEND : account.activity;
    if (!comesTrue(dice, habit, { day: dayOfMonth(start), activity })) continue;
    const isTed = habit.type === "TED";
    const atMs = isTed
      ? start + waitMs + dice.int(8 * HOUR_MS, 17 * HOUR_MS)
      : start + dice.int(7 * HOUR_MS, 22 * HOUR_MS);
    const cents = "dayOfMonth" in habit.when ? fixed : someCents(dice, least, most);
    const [from, to] = habit.side === "in" ? [world, account.available] : [account.available, world];
    planned.push({ type: habit.type, description: wording(dice, dice.pick(habit.texts)), atMs, cents, from, to });
  }
  return planned;
}

function openingOf(dice: Dice, { account, world, nowMs }: Scene & { account: DemoAccount }): Planned {
  const atMs = Math.max(account.openedAtMs, midnight(nowMs, STATEMENT_DAYS)) + dice.int(HOUR_MS, 6 * HOUR_MS);
  const cents = account.holderType === "PF" ? someCents(dice, 1_800, 6_500) : someCents(dice, 22_000, 60_000);
  return {
    type: "PIX",
    description: "Transferência de outra instituição",
    atMs,
    cents,
    from: world,
    to: account.available,
  };
}

const AMONG_PEOPLE = ["Divisão da conta", "Reembolso", "Presente", "Empréstimo", "Vaquinha"];
const WITH_COMPANIES = ["Serviço prestado", "Compra na loja", "Reembolso", "Adiantamento"];

function between(dice: Dice, { accounts, nowMs }: Scene): Planned[] {
  return Array.from({ length: accounts.length * 4 }, () => {
    const pair = [dice.pick(accounts), dice.pick(accounts)] as const;
    const [{ available: from }, { available: to }] = pair;
    const isPrivate = pair.every(({ holderType }) => holderType === "PF");
    const description = dice.pick(isPrivate ? AMONG_PEOPLE : WITH_COMPANIES);
    const atMs = midnight(nowMs, dice.int(0, STATEMENT_DAYS)) + dice.int(7 * HOUR_MS, 22 * HOUR_MS);
    return { type: "INTERNAL" as const, description, atMs, cents: someCents(dice, 25, 600), from, to };
  }).filter(({ from, to }) => from.id !== to.id);
}

/** A court order on every seventh account, today, as the statement already lists all earlier days. */
function holds(dice: Dice, { accounts, nowMs }: Scene): Planned[] {
  return accounts
    .filter((_, index) => index % 7 === 3)
    .map(({ available, blocked }) => ({
      type: "HOLD",
      description: "Bloqueio judicial",
      atMs: Math.max(midnight(nowMs, 0), nowMs - dice.int(2 * HOUR_MS, 5 * HOUR_MS)),
      cents: someCents(dice, 60, 400),
      from: available,
      to: blocked,
    }));
}

function leave({ accounts, world }: Scene): Planned[] {
  const parting = { type: "PIX", description: "Saldo no encerramento", cents: 0n, isEverything: true } as const;
  return accounts.flatMap(({ available: from, closing }) =>
    closing ? [{ ...parting, atMs: closing.at.getTime() - 1, from, to: world }] : [],
  );
}

function withFee(planned: Planned, { world }: Scene): Planned[] {
  if (planned.type !== "TED" || planned.to !== world) return [planned];
  const fee = { type: "FEE" as const, description: "Tarifa de TED", atMs: planned.atMs + 1, cents: TED_FEE_CENTS };
  return [planned, { ...planned, ...fee }];
}

/** Drops a movement that would overdraw, with its fee. */
function keepAffordable(planned: readonly Planned[], scene: Scene): Planned[] {
  const balances = new Map<number, bigint>();
  const balanceOf = ({ id }: LedgerAccount) => balances.get(id) ?? 0n;
  return planned.flatMap((wanted) => {
    const meant = wanted.isEverything ? { ...wanted, cents: balanceOf(wanted.from) } : wanted;
    const steps = withFee(meant, scene);
    const total = steps.reduce((sum, { cents }) => sum + cents, 0n);
    if (total === 0n || (wanted.from !== scene.world && balanceOf(wanted.from) < total)) return [];
    for (const { from, to, cents } of steps) {
      balances.set(from.id, balanceOf(from) - cents);
      balances.set(to.id, balanceOf(to) + cents);
    }
    return steps;
  });
}

function toMovement({ atMs, cents, from, to, type, description }: Planned, id: string): Movement {
  return { id, type, description, occurredAt: new Date(atMs), lines: linesBetween(from, to, cents) };
}

/** Oldest first, never below zero and never in the future. */
export function planStatements(dice: Dice, scene: Scene): Movement[] {
  const lives = new Map(scene.accounts.map((account) => [account.available.id, account]));
  const isAlive = (id: number, atMs: number) => {
    const { openedAtMs = 0, closing = null } = lives.get(id) ?? {};
    return openedAtMs < atMs && (closing === null || atMs < closing.at.getTime());
  };
  const isOpen = ({ from, to, atMs }: Planned) => [from, to].every(({ id }) => isAlive(id, atMs));
  const wanted = scene.accounts.flatMap((account) => {
    const habits = account.holderType === "PF" ? PERSON_HABITS : COMPANY_HABITS;
    const own = { ...scene, account };
    return [openingOf(dice, own), ...habits.flatMap((habit) => followHabit(dice, habit, own))];
  });
  const inOrder = [...wanted, ...between(dice, scene), ...holds(dice, scene), ...leave(scene)]
    .filter((planned) => planned.atMs < scene.nowMs && isOpen(planned))
    .toSorted((one, other) => one.atMs - other.atMs);
  return keepAffordable(inOrder, scene).map((planned) => toMovement(planned, scene.newId()));
}
