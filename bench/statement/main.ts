import { createReadStream, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { Client } from "pg";
import { chromium, type Page } from "playwright";
import { type Bound, bound, printBounds } from "@/bench/bank/bound";
import { addPerson, type Instance, requireBuild, signIn, startInstance, withProduct } from "@/bench/bank/product";
import { populate } from "@/bench/service/population";
import { wordsOf } from "@/e2e/support/words";
import { findInPath, Refusal, run, runProgram, say } from "@/scripts/program.mjs";
import { findBrowser } from "@/scripts/setup/browser.mjs";

const USAGE = "npm run bench:statement -- [--entries 100000]";

const SUPPORT = "support@bench.example";
const FIRST_ROWS_MS = 1_000;
const MOST_ROWS = 150;
const MEMORY_MB = 60;
/** Without a limit V8 puts collecting off, and what it grew by says nothing of what the files need. */
const HEAP_MB = 220;
const RUNS = 7;
const SAMPLE_MS = 250;
const words = wordsOf("pt-BR");

const DAY_MS = 86_400_000;
const civil = (daysAgo: number) => new Date(Date.now() - daysAgo * DAY_MS).toISOString().slice(0, 10);
const PERIOD = `from=${civil(100)}&to=${civil(0)}`;

/** What a payer can write, for a spreadsheet to compute it. */
const PAYLOADS = [
  "=1+1",
  "+1+1",
  "-1+1",
  "@SUM(1;1)",
  "\t=1+1",
  "\r=1+1",
  "\n=1+1",
  " =1+1",
  "\u00a0=1+1",
  "＝1+1",
  "\u200b=1+1",
  '=HYPERLINK("https://evil.example";"aqui")',
  "=cmd|' /C calc'!A0",
  "Venda;=1+1",
  '"=1+1',
];

/** At `;` and quotes, UTF-8, in Brazilian Portuguese; quoted cells and special numbers are read for what they look like. */
const AS_IN_BRAZIL = "CSV:59,34,76,1,,1046,false,true";

/** So many entries a minute apart up to now, in and out by turns, as the ledger would have written them; each seventh has a payload. */
const FILL = `
  with mine as (select id, balance, entry_count from ledger_account where holder = $1 and asset_id = 'BRL' and kind = 'available'),
  theirs as (select id from ledger_account where asset_id = 'BRL' and kind = 'outside' order by id limit 1),
  moves as (
    select n, 'bench-' || lpad(n::text, 8, '0') as id, now() - ($2::int + 1 - n) * interval '1 minute' as at,
      case when n % 2 = 1 then 200 + n % 97 else -(100 + n % 89) end as cents
    from generate_series(1, $2::int) n
  ),
  heads as (insert into ledger_movement (id, type, description, occurred_at)
    select id, case when n % 3 = 0 then 'TED' else 'PIX' end,
      case when n % 7 = 0 then ($3::text[])[1 + n / 7 % cardinality($3::text[])] else 'Venda ' || n end, at from moves),
  lines as (insert into ledger_entry (movement_id, account_id, sequence, amount, balance_after, occurred_at)
    select moves.id, mine.id, mine.entry_count + n, cents, mine.balance + sum(cents) over (order by n), at from moves, mine
    union all select moves.id, theirs.id, null, -cents, null, at from moves, theirs)
  update ledger_account set entry_count = ledger_account.entry_count + $2::int,
    balance = ledger_account.balance + (select sum(cents) from moves) from mine where ledger_account.id = mine.id`;

const SUMS = `select coalesce(sum(amount) filter (where amount > 0), 0)::text as "in",
    coalesce(-sum(amount) filter (where amount < 0), 0)::text as out, count(*)::int as entries
  from ledger_entry join ledger_account on ledger_account.id = account_id where holder = $1 and kind = 'available'`;

type Sums = { in: string; out: string; entries: number };

const median = (took: readonly number[]) =>
  took.toSorted((one, other) => one - other)[Math.floor(took.length / 2)] ?? 0;

const residentMb = ({ pid }: Instance) =>
  Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? Number.NaN) / 1024;

const tenths = (samples: readonly number[]) =>
  Array.from({ length: 10 }, (_, tenth) => Math.round(samples[Math.floor((tenth * samples.length) / 10)] ?? 0));

/** Until the first row of the statement is in the HTML. */
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

/** All three files at once, as fast as the provider's budget lets them: what the console grows by after the first fifth of the time. */
async function exportAll(fixture: Instance, addressOf: (format: string) => string, cookie: string) {
  const samples: number[] = [];
  const sampling = setInterval(() => samples.push(residentMb(fixture)), SAMPLE_MS);
  const begun = performance.now();
  const [csv, ofx, pdf] = await Promise.all(["csv", "ofx", "pdf"].map((format) => take(addressOf(format), cookie)));
  clearInterval(sampling);
  const fifth = Math.ceil(samples.length / 5);
  const grownMb = Math.max(0, Math.max(...samples.slice(fifth)) - Math.max(...samples.slice(0, fifth)));
  return { files: { csv, ofx, pdf }, grownMb, seconds: (performance.now() - begun) / 1_000, samples };
}

/** A CSV as LibreOffice opens it: how many of its cells compute, and its numbers. */
async function openInCalc(soffice: string, csv: Buffer | string): Promise<{ formulas: number; amounts: string[] }> {
  const folder = mkdtempSync(join(tmpdir(), "retaguarda-bench-"));
  try {
    const file = join(folder, "opened.csv");
    writeFileSync(file, csv);
    const profile = `-env:UserInstallation=${pathToFileURL(join(folder, "profile")).href}`;
    const how = ["--headless", `--infilter=${AS_IN_BRAZIL}`, "--convert-to", "fods", "--outdir", folder, file];
    const { output } = await run(soffice, [profile, ...how], { quiet: true });
    if (!output.includes("-> ")) throw new Error(`LibreOffice opened nothing: ${output}`);
    let formulas = 0;
    const amounts: string[] = [];
    for await (const line of createInterface({ input: createReadStream(join(folder, "opened.fods")) })) {
      formulas += line.match(/table:formula=/g)?.length ?? 0;
      const told = line.matchAll(/ office:value-type="float" office:value="([^"]+)"/g);
      for (const [, value] of told) amounts.push(Number(value).toFixed(2));
    }
    return { formulas, amounts };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The CSV in LibreOffice beside the ledger, and the payloads as they are, so that a reader that computes nothing proves nothing. */
async function inCalc(csv: Buffer, differs: (sums: Sums) => number): Promise<Bound[]> {
  const soffice = findInPath("soffice");
  if (soffice === undefined) {
    say(
      "  LibreOffice is not on this machine: nobody has opened the CSV with it (soffice, Debian's libreoffice-calc-nogui)",
    );
    return [];
  }
  const plain = PAYLOADS.map((payload) => `"${payload.replaceAll('"', '""')}"\r\n`).join("");
  const [opened, undefused] = [await openInCalc(soffice, csv), await openInCalc(soffice, plain)];
  const sums = sumsOf(opened.amounts);
  say(`  the CSV in LibreOffice: ${sums.in} cents in, ${sums.out} cents out, ${sums.entries} entries`);
  return [
    bound("cells of the CSV that LibreOffice computes", opened.formulas, { exactly: 0 }),
    bound("cells that it computes of the same payloads as they are", undefused.formulas, { atLeast: 1 }),
    bound("figures of the CSV in LibreOffice that are not the ledger's", differs(sums), { exactly: 0 }),
  ];
}

/** Opens a window of the person whose cookies these are. */
async function openWindow(origin: string, cookie: string) {
  const executablePath = await findBrowser();
  if (executablePath === undefined) throw new Refusal("There is no Chromium: see npm run e2e");
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
  const context = await browser.newContext({ baseURL: origin });
  const cookies = [...cookie.split("; "), "locale=pt-BR"].map((one) => {
    const at = one.indexOf("=");
    return { name: one.slice(0, at), value: one.slice(at + 1), url: origin };
  });
  await context.addCookies(cookies);
  return { page: await context.newPage(), close: () => browser.close() };
}

/** As a person looks a customer up; the address of the account's page. */
async function lookUp(page: Page, document: string): Promise<string> {
  await page.goto("/accounts");
  await page.getByLabel(words("accounts.lookUpLabel")).fill(document);
  await page.getByRole("button", { name: words("accounts.lookUp") }).click();
  await page.waitForURL(/\/accounts\/[\da-f-]{36}/);
  return new URL(page.url()).pathname;
}

async function rowsInDom(page: Page, path: string): Promise<{ rows: number; elements: number }> {
  await page.goto(path);
  await page.locator("[data-transaction]").first().waitFor();
  return { rows: await page.locator("tr").count(), elements: await page.locator("*").count() };
}

async function bench(): Promise<void> {
  const { values } = parseArgs({ options: { entries: { type: "string", default: "100000" } } });
  const entries = Number(values.entries);
  if (!Number.isInteger(entries) || entries < 1) throw new Refusal(USAGE);
  await requireBuild();
  const isMet = await withProduct({}, async ({ service, consoleEnvironment }, onClose) => {
    const [account] = await populate(service, 1);
    if (account === undefined) throw new Error("there is no account");
    const own = { SECOND_FACTOR_FOR: "critical-roles", WATCH_INTERVAL_SECONDS: "3600" };
    const environment: Record<string, string> = { ...consoleEnvironment(service.origin), ...own };
    const books = new URL(environment["DATABASE_URL"] ?? "");
    books.pathname = "/service";
    const ledger = new Client({ connectionString: books.href });
    await ledger.connect();
    onClose(() => ledger.end());
    await ledger.query(FILL, [account.accountId, entries, PAYLOADS]);
    await ledger.query("vacuum analyze");
    const { rows } = await ledger.query<Sums>(SUMS, [account.accountId]);
    const [told] = rows;
    if (told === undefined) throw new Error("the ledger says nothing");
    await addPerson(environment, SUPPORT, "support");
    const fixture = await startInstance({ ...environment, NODE_OPTIONS: `--max-old-space-size=${HEAP_MB}` });
    onClose(fixture.stop);
    const cookie = await signIn(fixture.origin, SUPPORT);
    const { page, close } = await openWindow(fixture.origin, cookie);
    onClose(close);
    const path = await lookUp(page, account.documentNumber);
    const address = `${fixture.origin}${path}?${PERIOD}`;
    await firstRowsMs(address, cookie);
    const took: number[] = [];
    for (let time = 0; time < RUNS; time += 1) took.push(await firstRowsMs(address, cookie));
    const dom = await rowsInDom(page, `${path}?${PERIOD}`);
    const html = (await take(address, cookie)).toString("utf8");
    const scope = /statement\?[^"]*scope=([^"&]+)/.exec(html)?.[1] ?? "";
    const addressOf = (format: string) =>
      `${fixture.origin}/api${path}/statement?${PERIOD}&format=${format}&scope=${scope}`;
    const { files, grownMb, seconds, samples } = await exportAll(fixture, addressOf, cookie);
    const { csv = Buffer.alloc(0), ofx = Buffer.alloc(0), pdf = Buffer.alloc(0) } = files;
    const sizes = [csv, ofx, pdf].map((file) => `${(file.length / 2 ** 20).toFixed(1)} MiB`).join(", ");
    say(`CSV, OFX and PDF of ${told.entries} entries at once: ${seconds.toFixed(0)} s, ${sizes}`);
    const memory = tenths(samples).join(" ");
    say(`  memory of the console, its heap held to ${HEAP_MB} MB, a tenth of the time apart: ${memory} MB`);
    say(`  the ledger: ${told.in} cents in, ${told.out} cents out; ${dom.elements} elements in the DOM`);
    const sums = { CSV: sumsOf(signed("csv", csv.toString())), OFX: sumsOf(signed("ofx", ofx.toString("latin1"))) };
    for (const [name, { in: sumIn, out, entries: count }] of Object.entries(sums)) {
      say(`  the ${name}: ${sumIn} cents in, ${out} cents out, ${count} entries`);
    }
    const differs = (one: Sums) =>
      Number(one.in !== told.in) + Number(one.out !== told.out) + Number(one.entries !== told.entries);
    const calc = await inCalc(csv, differs);
    return printBounds([
      bound("first rows in the HTML, ms, the median", Math.round(median(took)), { below: FIRST_ROWS_MS }),
      bound("rows in the DOM", dom.rows, { atMost: MOST_ROWS }),
      bound(`MB grown by after the first fifth, of a heap held to ${HEAP_MB} MB`, Math.round(grownMb), {
        below: MEMORY_MB,
      }),
      bound("figures of the CSV that are not the ledger's", differs(sums.CSV), { exactly: 0 }),
      bound("figures of the OFX that are not the ledger's", differs(sums.OFX), { exactly: 0 }),
      bound("pages of the PDF", pdf.toString("latin1").match(/\/Type \/Page\n/g)?.length ?? 0, {
        atLeast: Math.ceil(entries / 100),
      }),
      ...calc,
    ]);
  });
  if (!isMet) process.exitCode = 1;
}

await runProgram(import.meta.url, bench);
