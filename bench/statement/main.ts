import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { Client } from "pg";
import type { Page } from "playwright";
import { bound, median, printBounds } from "@/bench/provider/bound";
import {
  addPerson,
  type Instance,
  launchBrowser,
  openPage,
  requireBuild,
  signIn,
  startInstance,
  withProduct,
} from "@/bench/provider/product";
import { populate } from "@/bench/service/population";
import { wordsOf } from "@/e2e/support/words";
import { Refusal, say } from "@/scripts/program.mjs";

const SUPPORT = "support@bench.example";
const FIRST_ROWS_MS = 1_000;
const MAX_ROWS = 150;
const MEMORY_MB = 60;
/** Without a limit V8 delays garbage collection, and the growth says nothing about the files. */
const HEAP_MB = 220;
const RUNS = 7;
const SAMPLE_MS = 250;
const words = wordsOf("pt-BR");

const civil = (daysAgo: number) => new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10);
const PERIOD = `from=${civil(100)}&to=${civil(0)}`;

/** Entries a minute apart up to now, alternately in and out, as the ledger would write them. */
const FILL = `
  with mine as (select id, balance, entry_count from ledger_account where holder = $1 and asset_id = 'BRL' and kind = 'available'),
  theirs as (select id from ledger_account where asset_id = 'BRL' and kind = 'outside' order by id limit 1),
  moves as (
    select n, 'bench-' || lpad(n::text, 8, '0') as id, now() - ($2::int + 1 - n) * interval '1 minute' as at,
      case when n % 2 = 1 then 200 + n % 97 else -(100 + n % 89) end as cents
    from generate_series(1, $2::int) n
  ),
  heads as (insert into ledger_movement (id, type, description, occurred_at)
    select id, case when n % 3 = 0 then 'TED' else 'PIX' end, 'Venda ' || n, at from moves),
  lines as (insert into ledger_entry (movement_id, account_id, sequence, amount, balance_after, occurred_at)
    select moves.id, mine.id, mine.entry_count + n, cents, mine.balance + sum(cents) over (order by n), at from moves, mine
    union all select moves.id, theirs.id, null, -cents, null, at from moves, theirs)
  update ledger_account set entry_count = ledger_account.entry_count + $2::int,
    balance = ledger_account.balance + (select sum(cents) from moves) from mine where ledger_account.id = mine.id`;

const SUMS = `select coalesce(sum(amount) filter (where amount > 0), 0)::text as "in",
    coalesce(-sum(amount) filter (where amount < 0), 0)::text as out, count(*)::int as entries
  from ledger_entry join ledger_account on ledger_account.id = account_id where holder = $1 and kind = 'available'`;

type Sums = { in: string; out: string; entries: number };

const residentMb = ({ pid }: Instance) =>
  Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? Number.NaN) / 1024;

/** The ms until the statement's first row is in the HTML. */
async function firstRowsMs(address: string, cookie: string): Promise<number> {
  const begun = performance.now();
  const answer = await fetch(address, { headers: { cookie } });
  let html = "";
  let tookMs = Number.POSITIVE_INFINITY;
  for await (const part of answer.body ?? []) {
    html += Buffer.from(part).toString("latin1");
    if (tookMs === Number.POSITIVE_INFINITY && html.includes("data-transaction=")) tookMs = performance.now() - begun;
  }
  return tookMs;
}

const signed = (format: string, text: string): string[] =>
  format === "csv"
    ? text.split("\r\n").flatMap((line) => line.match(/;(-?\d+,\d\d);/)?.[1]?.replace(",", ".") ?? [])
    : (text.match(/(?<=<TRNAMT>)[^<]+/g) ?? []);

function sumsOf(amounts: readonly string[]): Sums {
  const cents = amounts.map((amount) => BigInt(amount.replace(".", "")));
  const sum = (side: (one: bigint) => boolean) => cents.filter(side).reduce((all, one) => all + one, 0n);
  return { in: `${sum((one) => one > 0n)}`, out: `${-sum((one) => one < 0n)}`, entries: cents.length };
}

async function take(address: string, cookie: string): Promise<Buffer> {
  const answer = await fetch(address, { headers: { cookie } });
  if (!answer.ok) throw new Error(`${address} answered ${answer.status}`);
  return Buffer.from(await answer.arrayBuffer());
}

/** Exports all three files at once and measures memory growth after the first fifth of the time. */
async function exportAll(fixture: Instance, addressOf: (format: string) => string, cookie: string) {
  const samples: number[] = [];
  const sampling = setInterval(() => samples.push(residentMb(fixture)), SAMPLE_MS);
  const begun = performance.now();
  const [csv, ofx, pdf] = await Promise.all(["csv", "ofx", "pdf"].map((format) => take(addressOf(format), cookie)));
  clearInterval(sampling);
  const fifth = Math.ceil(samples.length / 5);
  const grownMb = Math.max(0, Math.max(...samples.slice(fifth)) - Math.max(...samples.slice(0, fifth)));
  return { files: { csv, ofx, pdf }, grownMb, seconds: (performance.now() - begun) / 1_000 };
}

/** Looks a customer up like a person; returns the account page's URL. */
async function lookUp(page: Page, document: string): Promise<string> {
  await page.goto("/accounts");
  await page.getByLabel(words("accounts.lookUpLabel")).fill(document);
  await page.getByRole("button", { name: words("accounts.lookUp") }).click();
  await page.waitForURL(/\/accounts\/[\da-f-]{36}/);
  return new URL(page.url()).pathname;
}

export async function measure(args: string[]): Promise<boolean> {
  const { values } = parseArgs({ args, options: { entries: { type: "string", default: "100000" } } });
  const entries = Number(values.entries);
  if (!Number.isInteger(entries) || entries < 1) throw new Refusal("npm run bench says what it takes.");
  await requireBuild();
  return withProduct(async ({ service, consoleEnvironment }, onClose) => {
    const [account] = await populate(service, 1);
    if (account === undefined) throw new Error("there is no account");
    const own = { SECOND_FACTOR_FOR: "critical-roles", WATCH_INTERVAL_SECONDS: "3600" };
    const environment: Record<string, string> = { ...consoleEnvironment(service.origin), ...own };
    const books = new URL(environment["DATABASE_URL"] ?? "");
    books.pathname = "/service";
    const ledger = new Client({ connectionString: books.href });
    await ledger.connect();
    onClose(() => ledger.end());
    await ledger.query(FILL, [account.accountId, entries]);
    await ledger.query("vacuum analyze");
    const { rows } = await ledger.query<Sums>(SUMS, [account.accountId]);
    const [told] = rows;
    if (told === undefined) throw new Error("the ledger says nothing");
    await addPerson(environment, SUPPORT, "auditor");
    const fixture = await startInstance({ ...environment, NODE_OPTIONS: `--max-old-space-size=${HEAP_MB}` });
    onClose(fixture.stop);
    const cookie = await signIn(fixture.origin, SUPPORT);
    const browser = await launchBrowser();
    onClose(() => browser.close());
    const page = await openPage(browser, fixture.origin, cookie);
    const path = await lookUp(page, account.documentNumber);
    const address = `${fixture.origin}${path}?${PERIOD}`;
    await firstRowsMs(address, cookie);
    const took: number[] = [];
    for (let time = 0; time < RUNS; time += 1) took.push(await firstRowsMs(address, cookie));
    await page.goto(`${path}?${PERIOD}`);
    await page.locator("[data-transaction]").first().waitFor();
    const rowsInDom = await page.locator("tr").count();
    const html = (await take(address, cookie)).toString("utf8");
    const scope = /statement\?[^"]*scope=([^"&]+)/.exec(html)?.[1] ?? "";
    const addressOf = (format: string) =>
      `${fixture.origin}/api${path}/statement?${PERIOD}&format=${format}&scope=${scope}`;
    const { files, grownMb, seconds } = await exportAll(fixture, addressOf, cookie);
    const { csv = Buffer.alloc(0), ofx = Buffer.alloc(0), pdf = Buffer.alloc(0) } = files;
    const sizes = [csv, ofx, pdf].map((file) => `${(file.length / 2 ** 20).toFixed(1)} MiB`).join(", ");
    say(`CSV, OFX and PDF of ${told.entries} entries at once: ${seconds.toFixed(0)} s, ${sizes}`);
    const sums = { CSV: sumsOf(signed("csv", csv.toString())), OFX: sumsOf(signed("ofx", ofx.toString("latin1"))) };
    const differs = (one: Sums) =>
      Number(one.in !== told.in) + Number(one.out !== told.out) + Number(one.entries !== told.entries);
    return printBounds([
      bound("first rows in the HTML, ms, the median", Math.round(median(took)), { atMost: FIRST_ROWS_MS }),
      bound("rows in the DOM", rowsInDom, { atMost: MAX_ROWS }),
      bound(`MB grown by after the first fifth, of a heap held to ${HEAP_MB} MB`, Math.round(grownMb), {
        atMost: MEMORY_MB,
      }),
      bound("figures of the CSV that are not the ledger's", differs(sums.CSV), { exactly: 0 }),
      bound("figures of the OFX that are not the ledger's", differs(sums.OFX), { exactly: 0 }),
      bound("pages of the PDF", pdf.toString("latin1").match(/\/Type \/Page\n/g)?.length ?? 0, {
        atLeast: Math.ceil(entries / 100),
      }),
    ]);
  });
}
