import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { Client } from "pg";
import type { Browser, Page } from "playwright";
import { bound, printBounds } from "@/bench/provider/bound";
import { type FaultProxy, startFaultProxy } from "@/test/support/fault-proxy";
import {
  addPerson,
  type Instance,
  launchBrowser,
  openPage,
  type Product,
  requireBuild,
  signIn,
  startInstance,
  withProduct,
} from "@/bench/provider/product";
import { type Account, populate, statementOf } from "@/bench/service/population";
import { type CapturedAction, callAction, nextAction } from "@/e2e/support/server-action";
import { wordsOf } from "@/e2e/support/words";
import { Refusal } from "@/scripts/program.mjs";

const ROUTE = "POST /v1/bank-accounts/generateInternalTransferRequest";
const SUPPORT = "support@bench.example";
const AT_ONCE = 50;
const RECONCILED_WITHIN_MS = 200_000;
const words = wordsOf("pt-BR");
const SEND = new RegExp(`^${words("transferForm.button")} R`);
const TRANSFER = /\/transfers\/[\da-f]{8}-[^/]+$/;

type Scene = {
  product: Product;
  proxy: FaultProxy;
  browser: Browser;
  environment: Record<string, string>;
  records: Client;
  from: Account;
  to: Account;
  /** Replaced after a kill. */
  console: Instance;
};

/** One order as its person sees it, from the filled form on. */
type Order = {
  scene: Scene;
  page: Page;
  /** Presses the review's button; returns what the browser sent. */
  press: (page?: Page) => Promise<CapturedAction>;
  /** Repeats the same request from outside any screen. */
  again: (sent: CapturedAction, times: number, page?: Page) => Promise<unknown>;
};

type Scenario = {
  name: string;
  /** Slow cases run once. */
  isSlow?: boolean;
  act: (order: Order) => Promise<string | null>;
};

async function sitDown({ browser, records, console: { origin } }: Scene): Promise<Page> {
  const cookies = await signIn(origin, SUPPORT);
  // Stands for the authenticator app that the role requires.
  await records.query("update staff_session set second_factor = true");
  return openPage(browser, origin, cookies);
}

async function openForm(page: Page, { from }: Scene): Promise<void> {
  await page.goto("/accounts");
  await page.getByLabel(words("accounts.lookUpLabel")).fill(from.documentNumber);
  await page.getByRole("button", { name: words("accounts.lookUp") }).click();
  await page.getByRole("link", { name: words("transferForm.button"), exact: true }).click();
  await page.getByRole("heading", { name: words("transferForm.payTitle") }).waitFor();
}

const toReview = async (page: Page) => {
  await page.getByRole("button", { name: words("transferForm.toReview") }).click();
  await page.getByRole("heading", { name: words("transferForm.reviewTitle") }).waitFor();
};

/** Presses what the screen still offers. */
async function pressWhatIsOffered(page: Page): Promise<void> {
  const review = page.getByRole("button", { name: words("transferForm.toReview") });
  const send = page.getByRole("button", { name: SEND });
  const isOffered = (button: typeof send) =>
    button.click({ timeout: 5_000 }).then(
      () => true,
      () => false,
    );
  if ((await send.isVisible()) || (await isOffered(review))) await isOffered(send);
}

async function order(scene: Scene, amount: string): Promise<Order> {
  const page = await sitDown(scene);
  await openForm(page, scene);
  await page.getByLabel(words("transferForm.user")).fill("user-1");
  await page.getByLabel(words("transferForm.to")).fill(scene.to.documentNumber);
  await page.getByLabel(words("transferForm.amount")).fill(amount.replace(".", ","));
  await toReview(page);
  return {
    scene,
    page,
    press: async (from = page) => {
      const button = from.getByRole("button", { name: SEND });
      const [sent] = await Promise.all([nextAction(from), button.click({ noWaitAfter: true })]);
      return sent;
    },
    again: (sent, times, from = page) => {
      const { origin } = scene.console;
      const { pathname, search } = new URL(sent.address);
      const action = { ...sent, address: new URL(pathname + search, origin).href };
      // A request that waits for another in flight may get no answer in time.
      return Promise.allSettled(Array.from({ length: times }, () => callAction(from, action, origin)));
    },
  };
}

const intentOf = ({ body }: CapturedAction): string | null => /"intentId":"([\da-f-]{36})"/.exec(body)?.[1] ?? null;

async function untilSent({ proxy }: Scene): Promise<void> {
  while (proxy.requests(ROUTE) === 0) await pause(20);
}

/** Kills the console while its request is at the provider; `isForwarded`: after the provider carried it out. */
async function killAndStartAgain({ scene, page, press, again }: Order, isForwarded: boolean): Promise<string | null> {
  const { pid } = scene.console;
  scene.proxy.harm(ROUTE, { name: "kill -9", isForwarded, strike: () => void process.kill(pid, "SIGKILL") }, 1);
  const sent = await press();
  await untilSent(scene);
  scene.console = await startInstance(scene.environment);
  const after = await sitDown(scene);
  await again(sent, 3, after);
  await after.goto(page.url().replace(new URL(page.url()).origin, scene.console.origin));
  await pressWhatIsOffered(after);
  return intentOf(sent);
}

async function pressAndFlood({ press, again }: Order): Promise<string | null> {
  const sent = await press();
  await again(sent, AT_ONCE);
  return intentOf(sent);
}

const SCENARIOS: readonly Scenario[] = [
  { name: `${AT_ONCE} more submits at once`, act: pressAndFlood },
  {
    name: "two tabs of one form, both pressed",
    act: async ({ page, press }) => {
      const other = await page.context().newPage();
      await other.goto(page.url());
      await toReview(other);
      const [sent] = await Promise.all([press(), press(other)]);
      await Promise.any([page.waitForURL(TRANSFER), other.waitForURL(TRANSFER)]);
      return intentOf(sent);
    },
  },
  { name: "kill -9 before the provider has it", isSlow: true, act: (given) => killAndStartAgain(given, false) },
  { name: "kill -9 after the provider paid", isSlow: true, act: (given) => killAndStartAgain(given, true) },
];

async function debitsOf({ product: { service }, from }: Scene, amount: string): Promise<number> {
  const entries = await statementOf(service.read, from);
  return entries.filter((entry) => entry.direction === "DEBIT" && entry.amount === amount).length;
}

/** The order's final state in the console, or its current one after the time limit. */
async function stateOf({ records }: Scene, intentId: string | null): Promise<string> {
  const giveUpAtMs = performance.now() + RECONCILED_WITHIN_MS;
  for (;;) {
    const { rows } = await records.query<{ state: string }>("select state from bank_intent where id = $1", [intentId]);
    const state = rows[0]?.state ?? "none";
    if (state === "DONE" || state === "REFUSED" || performance.now() > giveUpAtMs) return state;
    await pause(250);
  }
}

async function play(scene: Scene, scenario: Scenario, { rounds, place }: { rounds: number; place: number }) {
  const { proxy } = scene;
  const states: Record<string, number> = {};
  let requests = 0;
  let payments = 0;
  let wrong = 0;
  const keys = new Set<string | null>();
  const begun = performance.now();
  for (let round = 0; round < rounds; round += 1) {
    const amount = `${1 + place}.${String(10 + round)}`;
    const given = await order(scene, amount);
    proxy.forget();
    const state = await stateOf(scene, await scenario.act(given));
    proxy.heal();
    await given.page.context().close();
    const paid = await debitsOf(scene, amount);
    states[state] = (states[state] ?? 0) + 1;
    requests += proxy.requests(ROUTE);
    for (const { key } of proxy.seen(ROUTE)) keys.add(key);
    payments += paid;
    if (paid !== 1 || state !== "DONE") wrong += 1;
  }
  const ended = Object.entries(states).map(([state, times]) => `${state} ${times}`);
  const took = ((performance.now() - begun) / 1_000).toFixed(0);
  const counts = `${requests} requests under ${keys.size} keys, ${payments} payments, on record ${ended.join(", ")}, ${took} s`;
  return printBounds([bound(`${scenario.name}: ${rounds} orders, ${counts}; wrong`, wrong, { exactly: 0 })]);
}

async function openScene(product: Product, onClose: (close: () => Promise<void>) => void): Promise<Scene> {
  const [from, to] = await populate(product.service, 2);
  if (from === undefined || to === undefined) throw new Error("there are too few accounts");
  const proxy = await startFaultProxy(product.service.origin);
  onClose(proxy.stop);
  // The call budget is measured elsewhere.
  const own = {
    WATCH_INTERVAL_SECONDS: "1",
    BANK_CALLS_PER_MINUTE: "100000",
    STEP_UP_MINUTES: "60",
    SECOND_FACTOR_FOR: "critical-roles",
  };
  const environment: Record<string, string> = { ...product.consoleEnvironment(proxy.origin), ...own };
  await addPerson(environment, SUPPORT, "support");
  const browser = await launchBrowser();
  onClose(() => browser.close());
  const records = new Client({ connectionString: environment["DATABASE_URL"] });
  await records.connect();
  onClose(() => records.end());
  const first = await startInstance(environment);
  const scene: Scene = { product, proxy, browser, environment, records, from, to, console: first };
  onClose(() => scene.console.stop());
  return scene;
}

export async function measure(args: string[]): Promise<boolean> {
  const { values } = parseArgs({
    args,
    options: { rounds: { type: "string", default: "3" }, only: { type: "string", default: "" } },
  });
  const rounds = Number(values.rounds);
  if (!Number.isInteger(rounds) || rounds < 1) throw new Refusal("npm run bench says what it takes.");
  await requireBuild();
  return withProduct(async (product, onClose) => {
    const scene = await openScene(product, onClose);
    const met: boolean[] = [];
    for (const [place, scenario] of SCENARIOS.entries()) {
      if (!scenario.name.includes(values.only)) continue;
      met.push(await play(scene, scenario, { rounds: scenario.isSlow ? 1 : rounds, place }));
    }
    return met.every(Boolean);
  });
}
