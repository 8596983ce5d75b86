import { createHash } from "node:crypto";
import { EventEmitter, once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { and, eq, sql } from "drizzle-orm";
import { getLocale } from "next-intl/server";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { lookUp } from "@/lib/accounts/look-up";
import { publicKeyOf, signingKey } from "@/lib/audit/head";
import { getSession } from "@/lib/auth/session";
import { runRetention } from "@/lib/privacy/retention";
import { saveMailLocale } from "@/lib/mail/outbox";
import { startWatches } from "@/lib/watch/watch";
import { env } from "@/lib/settings/env";
import { AppError } from "@/lib/errors/app-error";
import { mailsWatch } from "@/lib/boot/mail-watch";
import { staff } from "@/lib/db/tables/staff";
import { auditEvent } from "@/lib/db/tables/audit";
import type { Db } from "@/lib/db/connection";
import { type Manner, otherProvider, strangest } from "@/test/other-provider";
import { sessionOf } from "@/test/support/auth";
import { actorOf, givenEnv, givenService, givenStaff, givenStore } from "@/test/support/console";
import { bodyOf, startMailServer } from "@/test/support/mail";
import type { Harness } from "@/test/support/service/harness";
import { bytesOf, givenHistory, givenWallet, linesOf, startOf, sweepAll } from "@/test/support/movements";
import { unzip } from "@/test/support/zip";
import { openAccount } from "@/test/support/transfers";
import type { MovementOrder } from "./inputs";
import { planMovementFile, stopMovementFile } from "./order";
import { listMovementFiles, takeMovementFile } from "./queries";
import { account } from "@/lib/db/tables/customers";
import { wallet } from "@/lib/db/tables/wallets";
import { summarizeMovements } from "./sums";
import { movementChunk, movementExport, movementSource } from "@/lib/db/tables/movements";
import type { MovementFormat } from "@/lib/db/enums/movements";
import { verifyMovementFile } from "./verify";
import { movementsWatch } from "./watch";

const period = { from: "2026-03-01", to: "2026-03-31" };
const entry = {
  transactionId: "t",
  type: "PIX",
  amount: 10,
  date: "2026-03-09T12:00:00Z",
  description: "Venda",
  direction: "CREDIT",
};
let db: Db;
let service: Harness;
let staffId = "";
let refs: string[] = [];
type Answer = unknown[] | number | ((page: number) => unknown);
/** The provider's answer for each account's statement; a number is an HTTP status. */
let answers: Map<string, Answer>;
let asked: string[] = [];
let beforeAnswer: () => Promise<void>;
let manner: Manner;

beforeEach(async () => {
  vi.mocked(getLocale).mockResolvedValue("en");
  givenEnv();
  db = await givenStore();
  [answers, asked, refs, beforeAnswer, manner] = [new Map(), [], [], async () => {}, {}];
  service = await givenService(
    () => {},
    (serve) => async (request) => {
      const { pathname, searchParams } = new URL(request.url);
      if (!pathname.endsWith("/history")) return serve(request);
      const accountId = searchParams.get("accountId") ?? "";
      asked.push(accountId);
      await beforeAnswer();
      const answer = answers.get(accountId);
      if (answer === undefined) return otherProvider(serve, manner)(request);
      if (typeof answer === "function") return Response.json(answer(Number(searchParams.get("page") ?? 1)));
      if (typeof answer === "number") return Response.json({ error: "no" }, { status: answer });
      return Response.json({ status: 200, data: { transactions: answer, page: 1, totalPages: 1 } });
    },
  );
  staffId = await givenStaff(db, "finance");
  vi.mocked(getSession).mockResolvedValue(sessionOf({ staffId, tenant: "aurora", roles: ["finance"] }));
});

/** By default the service's answer in another provider's form. */
async function givenAccount(answer?: Answer): Promise<string> {
  const { accountId, onBoardingId } = await openAccount(service);
  if (answer !== undefined) answers.set(accountId, answer);
  const found = await lookUp(actorOf("finance", staffId, "accounts:read"), { query: onBoardingId });
  const ref = "accountRef" in found ? found.accountRef : "";
  refs.push(ref);
  return accountId;
}

const exporter = () => actorOf("finance", staffId, "statement:export");

const start = (format: MovementFormat = "csv") => startOf(exporter(), { ...period, format });

/** Each sweep ends with a failure of the provider. */
async function sweepUntilReady(): Promise<void> {
  for (let end: unknown; end !== "done";)
    end = await movementsWatch.sweep("aurora").catch((error: unknown) => {
      if (!(error instanceof AppError)) throw error;
    });
}

const onRecord = async () =>
  (await db.select().from(auditEvent)).filter(({ code }) => code.startsWith("movements.")).map(({ code }) => code);

describe("a file of movements", () => {
  it("lists every entry of every account with totals that equal the rows", async () => {
    await givenAccount([entry, { ...entry, transactionId: "u", direction: "DEBIT", amount: 2.5 }]);
    await givenAccount([
      { ...entry, transactionId: "v", amount: 0.07 },
      { ...entry, transactionId: "w", direction: "?", amount: 3 },
    ]);
    const id = await start();
    await sweepAll();
    const lines = await linesOf(id);
    expect(lines).toContain("# total | BRL | count 4 | in 10.07 | out 2.50 | unsigned 1");
    expect(lines).toContain("# unread | 0");
    const rows = lines.filter((line) => line.startsWith('"account"'));
    expect(rows).toHaveLength(4);
    expect(rows.some((row) => row.includes('"2026-03-09","2026-03-09T09:00:00-03:00","in",10.00,"yes","PIX"'))).toBe(
      true,
    );
    expect(await listMovementFiles()).toMatchObject([
      { id, state: "READY", accounts: 2, read: 2, unread: [], totals: { BRL: { count: 4, in: "10.07", out: "2.50" } } },
    ]);
  });

  it("audits the SHA-256 of exactly the downloaded bytes", async () => {
    await givenAccount([entry]);
    const id = await start();
    await sweepAll();
    const [file] = await listMovementFiles();
    const sha256 = createHash("sha256")
      .update(await bytesOf(id))
      .digest("hex");
    expect(file?.sha256).toBe(sha256);
    const [finished] = await db.select().from(auditEvent).where(eq(auditEvent.code, "movements.finish"));
    expect(finished?.detail).toMatchObject({ exportId: id, sha256, unread: 0 });
    expect(await onRecord()).toEqual(["movements.start", "movements.finish", "movements.export"]);
  });

  it.each(["csv", "ofx"] as const)(
    "verifies a file offline as downloaded, and fails with a byte changed (%s)",
    async (format) => {
      await givenAccount([entry]);
      await givenWallet({ id: "w" });
      await givenHistory("w", [{ amount: "7" }]);
      const id = await start(format);
      await sweepAll();
      const bytes = await bytesOf(id);
      const folder = mkdtempSync(join(tmpdir(), "movements-"));
      const path = join(folder, "file");
      const verify = (content: Buffer) => {
        writeFileSync(path, content);
        return verifyMovementFile(path, [publicKeyOf(signingKey(env().auditKey))]);
      };
      const [file] = await listMovementFiles();
      expect(await verify(bytes)).toMatchObject({ kind: "valid", sha256: file?.sha256 });
      for (const at of [0, Math.floor(bytes.length / 3), Math.floor((2 * bytes.length) / 3), bytes.length - 2]) {
        const changed = Buffer.from(bytes);
        changed.writeUInt8(changed.readUInt8(at) ^ 1, at);
        expect(await verify(changed)).toEqual({ kind: "altered" });
      }
      rmSync(folder, { recursive: true });
    },
  );

  it("names an unreadable account beside the sums", async () => {
    await givenAccount([entry]);
    await givenAccount(404);
    const id = await start();
    await sweepAll();
    const lines = await linesOf(id);
    expect(lines).toContain("# unread | 1");
    expect(lines.some((line) => line.startsWith(`# not read | account | ${refs[1]}`))).toBe(true);
    const [file] = await listMovementFiles();
    expect(file?.unread).toHaveLength(1);
  });

  it("lacks nothing of what was made after its period", async () => {
    await givenAccount([entry]);
    await givenAccount(404);
    await db
      .update(account)
      .set({ createdAt: new Date("2026-04-02T12:00:00Z") })
      .where(eq(account.ref, refs[1] ?? ""));
    await givenWallet({ id: "later" });
    await givenWallet({ id: "then", address: "0xAbC2" });
    const madeAt = new Date("2026-04-01T03:00:00Z");
    const seenAt = new Date("2026-04-01T04:00:00Z");
    await db.update(wallet).set({ createdAt: madeAt, firstSeenAt: seenAt }).where(eq(wallet.id, "later"));
    expect(await planMovementFile(exporter(), { ...period, format: "csv", scope: "all", names: "" })).toMatchObject({
      neverRead: 1,
    });
    const id = await start();
    await sweepAll();
    const lines = await linesOf(id);
    expect(lines.filter((line) => /^# (unread|not read|made later)/.test(line))).toEqual([
      "# unread | 1",
      "# not read | wallet | then | TRON / 0xAbC2 | never-read",
      expect.stringMatching(/^# made later \| account \| /),
      "# made later | wallet | later | TRON / 0xAbC1",
    ]);
    const [file] = await listMovementFiles();
    expect(file).toMatchObject({
      unread: ["TRON / 0xAbC2"],
      notWhole: { accounts: 0, wallets: 0 },
      accounts: 2,
      read: 2,
    });
    const { gaps } = await summarizeMovements(exporter(), period);
    expect(gaps.named.map(({ href }) => href.split("?")[0])).toEqual(["/wallets/then"]);
  });

  it("doubts a time of making that is when the console saw a wallet first", async () => {
    await givenWallet({ id: "w" });
    const at = new Date("2026-04-02T12:00:00Z");
    await db.update(wallet).set({ createdAt: at, firstSeenAt: new Date(at.getTime() + 5) });
    const id = await start();
    await sweepAll();
    expect(await linesOf(id)).toContain("# not read | wallet | w | TRON / 0xAbC1 | never-read");
  });

  it("resumes a file after a restart with the unread accounts", async () => {
    givenEnv({ watchIntervalMs: 10 });
    await givenAccount([entry]);
    await givenAccount([entry]);
    const process = new EventEmitter();
    const reading = once(process, "reading");
    beforeAnswer = async () => {
      if (asked.length !== 2) return;
      const gone = once(process, "gone");
      process.emit("reading");
      await gone;
      throw new TypeError("the process that asked is gone");
    };
    const id = await start();
    const stop = startWatches("aurora", [movementsWatch]);
    await reading;
    const stopped = stop();
    process.emit("gone");
    await stopped;
    expect(await listMovementFiles()).toMatchObject([{ state: "RUNNING", accounts: 2, read: 1 }]);
    beforeAnswer = async () => {};
    const stopAgain = startWatches("aurora", [movementsWatch]);
    await vi.waitFor(async () => expect(await listMovementFiles()).toMatchObject([{ state: "READY", read: 2 }]), {
      timeout: 15_000,
    });
    await stopAgain();
    expect(asked.filter((one) => one === asked[0])).toHaveLength(1);
    const lines = await linesOf(id);
    expect(lines.filter((line) => line.startsWith('"account"'))).toHaveLength(2);
    expect(lines).toContain("# total | BRL | count 2 | in 20.00 | out 0.00 | unsigned 0");
  });

  it("keeps nothing from an account's interrupted read", async () => {
    await givenAccount([entry]);
    const id = await start();
    const key = { tenant: "aurora", exportId: id, position: 1 };
    await db.insert(movementChunk).values({ ...key, nth: 7, keySealed: "left", bytes: Buffer.from("left over") });
    await sweepAll();
    expect((await linesOf(id)).filter((line) => line.startsWith('"account"'))).toHaveLength(1);
  });

  it("stops reading a file once cancelled", async () => {
    await givenAccount([entry]);
    const id = await start();
    await stopMovementFile(exporter(), { id });
    await sweepAll();
    expect(asked).toEqual([]);
    expect(await listMovementFiles()).toMatchObject([{ id, state: "STOPPED" }]);
    await expect(takeMovementFile(id)).rejects.toMatchObject({ kind: "not-found" });
    await expect(stopMovementFile(exporter(), { id })).rejects.toMatchObject({ kind: "not-found" });
    expect(await db.select().from(movementChunk)).toEqual([]);
  });

  it("mails the file's requester once, without its content", async () => {
    const server = await startMailServer();
    givenEnv({ mail: server.settings });
    await saveMailLocale(staffId, "en");
    await givenAccount([entry]);
    await start();
    await mailsWatch.sweep("aurora");
    expect(server.received).toEqual([]);
    await sweepAll();
    await mailsWatch.sweep("aurora");
    await mailsWatch.sweep("aurora");
    await server.close();
    const [person] = await db.select().from(staff).where(eq(staff.id, staffId));
    expect(server.received).toMatchObject([{ to: [person?.email] }]);
    const [mail = { data: "" }] = server.received;
    expect(mail.data).toContain("Subject: A file of yours is ready");
    expect(bodyOf(mail)).toContain("http://localhost:3000/movements");
    expect(bodyOf(mail)).not.toMatch(/10[.,]00|Venda|\d{11}/);
  });

  it("deletes a file with its pieces after 30 days, and keeps its SHA-256 audited", async () => {
    await givenAccount([entry]);
    await start();
    await sweepAll();
    const [file] = await listMovementFiles();
    const endedAgo = (days: number) =>
      db.update(movementExport).set({ finishedAt: sql`clock_timestamp() - ${days} * interval '1 day'` });
    const run = () => runRetention(db, { tenant: "aurora", by: "watch:retention", isDaily: true });
    await endedAgo(29.9);
    await run();
    expect(await listMovementFiles()).toHaveLength(1);
    await endedAgo(30.1);
    await run();
    expect(await listMovementFiles()).toEqual([]);
    expect([...(await db.select().from(movementSource)), ...(await db.select().from(movementChunk))]).toEqual([]);
    const [finished] = await db.select().from(auditEvent).where(eq(auditEvent.code, "movements.finish"));
    expect(finished?.detail).toMatchObject({ sha256: file?.sha256 });
  });

  it("seals a file in the store", async () => {
    await givenAccount([{ ...entry, description: "Aluguel da Ana" }]);
    await start();
    await sweepAll();
    const chunks = await db.select().from(movementChunk);
    expect(chunks.length).toBeGreaterThan(2);
    expect(chunks.some(({ bytes }) => Buffer.from(bytes).includes("Aluguel"))).toBe(false);
  });
});

const orderedBy = (id: string, order: Partial<MovementOrder>) =>
  startOf(actorOf("finance", id, "statement:export"), { ...period, ...order });
const states = async () =>
  new Map((await db.select().from(movementExport)).map(({ id, state }) => [id, state] as const));

async function countFailedSweeps(): Promise<number> {
  let failed = 0;
  for (let end: unknown; end !== "done";)
    end = await movementsWatch.sweep("aurora").catch(() => {
      failed += 1;
    });
  return failed;
}

describe("several files", () => {
  it("reads files in turns between people, however many each ordered", async () => {
    await givenAccount([entry]);
    const other = await givenStaff(db, "finance");
    const own = await orderedBy(staffId, { to: "2026-03-10" });
    const second = await orderedBy(staffId, { to: "2026-03-11" });
    const theirs = await orderedBy(other, { to: "2026-03-12" });
    // Each takes a sweep to read its account and one to finish.
    for (let turn = 0; turn < 4; turn += 1) await movementsWatch.sweep("aurora");
    expect(await states()).toEqual(
      new Map([
        [own, "READY"],
        [second, "WAITING"],
        [theirs, "READY"],
      ]),
    );
    await sweepAll();
    expect(new Set((await states()).values())).toEqual(new Set(["READY"]));
  });

  it("continues other files beside a failing one, which is given up", async () => {
    await givenAccount([entry]);
    const broken = await orderedBy(staffId, { to: "2026-03-10" });
    const next = await orderedBy(staffId, { to: "2026-03-11" });
    const theirs = await orderedBy(await givenStaff(db, "finance"), { to: "2026-03-12" });
    await movementsWatch.sweep("aurora");
    await movementsWatch.sweep("aurora");
    const totals = sql`'{"BRL": {"count": 1, "in": "ten", "out": "0", "unsigned": 0}}'::jsonb`;
    await db.update(movementSource).set({ totals }).where(eq(movementSource.exportId, broken));
    expect(await countFailedSweeps()).toBe(3);
    expect(await states()).toEqual(
      new Map([
        [broken, "FAILED"],
        [next, "READY"],
        [theirs, "READY"],
      ]),
    );
  });

  it("continues other files beside one too large for a zip, which fails", async () => {
    await givenAccount([entry]);
    await givenAccount([entry]);
    const large = await start("ofx");
    const next = await start();
    const read = { state: "READ" as const, sizeBytes: 2 ** 32 };
    await db
      .update(movementSource)
      .set(read)
      .where(and(eq(movementSource.exportId, large), eq(movementSource.position, 1)));
    await sweepAll();
    expect(await states()).toEqual(
      new Map([
        [large, "TOO_LARGE"],
        [next, "READY"],
      ]),
    );
    expect(await db.$count(movementChunk, eq(movementChunk.exportId, large))).toBe(0);
  });

  it("names an account whose processing crashes as not read", async () => {
    await givenAccount([entry]);
    const id = await start();
    await db.update(movementSource).set({ kind: sql`'moon'` });
    expect(await countFailedSweeps()).toBe(3);
    expect((await linesOf(id)).find((line) => line.startsWith("# not read"))).toContain("unexpected");
  });
});

describe("a zip of OFX", () => {
  it("includes totals and one statement per account with the tenant's bank", async () => {
    const [aurora] = env().tenants;
    givenEnv({ tenants: [{ ...aurora, company: { name: "Aurora", bankId: "341" } }] });
    await givenAccount([entry]);
    await givenAccount([entry]);
    const id = await start("ofx");
    await sweepAll();
    const [control = "", ...statements] = Array.from(await unzip(await bytesOf(id)), ([, bytes]) => bytes.toString());
    expect(control).toContain('"# total","BRL","count 2","in 20.00","out 0.00","unsigned 0"');
    expect(statements).toHaveLength(2);
    for (const statement of statements) expect(statement).toContain("<BANKID>341<");
    const left = await db.select({ position: movementChunk.position }).from(movementChunk);
    expect(new Set(left.map(({ position }) => position))).toEqual(new Set([3]));
  });
});

const credit = (accountId: string, amount: number) =>
  service.control("POST", `/sandbox/bank-accounts/${accountId}/credit`, { amount, type: "PIX" });

const told = (transactions: unknown[], page: number, totalPages: number) => ({
  status: 200,
  data: { transactions, page, totalPages },
});

const rowsIn = (lines: string[]) => lines.filter((line) => line.startsWith('"account"'));

describe("a file of another provider's movements", () => {
  it.each<[string, Manner, string]>([
    ["does everything strangely", strangest, "count 12 | in 78.0000000000000196 | out 0.00 | unsigned 0"],
    ["says no totals", { history: { totals: "untold", pageSize: 5 } }, "count 12 | in 78.00 | out 0.00 | unsigned 0"],
    [
      "tells no directions",
      { history: { directions: "absent", pageSize: 5 } },
      "count 12 | in 0.00 | out 0.00 | unsigned 12",
    ],
    [
      "has ids of its own",
      { history: { ids: "unnamed", order: { shuffledBy: "x" }, pageSize: 5 } },
      "count 12 | in 78.00 | out 0.00 | unsigned 0",
    ],
  ])("lists every entry once when the provider %s", async (_, its, totals) => {
    manner = its;
    const accountId = await givenAccount();
    for (let amount = 1; amount <= 12; amount += 1) await credit(accountId, amount);
    const id = await start();
    await sweepAll();
    const lines = await linesOf(id);
    expect(lines).toContain(`# total | BRL | ${totals}`);
    expect(rowsIn(lines)).toHaveLength(12);
  });

  it.each(["first-page", "echoed"] as const)("names an account whose pages repeat (%s)", async (paging) => {
    manner = { history: { paging, pageSize: 4 } };
    await givenAccount([entry]);
    const accountId = await givenAccount();
    for (let amount = 1; amount <= 10; amount += 1) await credit(accountId, amount);
    const id = await start();
    await sweepUntilReady();
    const lines = await linesOf(id);
    expect(lines.find((line) => line.startsWith("# not read"))).toContain(`${refs[1]}`);
    expect(lines.find((line) => line.startsWith("# not read"))).toContain("statement-incomplete");
    expect(rowsIn(lines)).toHaveLength(1);
    expect(lines).toContain("# total | BRL | count 1 | in 10.00 | out 0.00 | unsigned 0 | not whole 1");
  });

  it("counts an entry once when newer ones push it to the next page", async () => {
    const entries = Array.from({ length: 7 }, (_, n) => ({ ...entry, transactionId: `t${n}`, amount: 7 - n }));
    const arrived = [0, 2, 3, 3];
    await givenAccount((page) => {
      const came = Array.from({ length: arrived[page - 1] ?? 0 }, (_, n) => ({ ...entry, transactionId: `n${n}` }));
      return told([...came, ...entries].slice(3 * (page - 1), 3 * page), page, 4);
    });
    const id = await start();
    await sweepAll();
    const lines = await linesOf(id);
    expect(lines).toContain("# total | BRL | count 7 | in 28.00 | out 0.00 | unsigned 0");
    expect(rowsIn(lines)).toHaveLength(7);
  });

  it("names an account after three failures, and lets others go first", async () => {
    await givenAccount(500);
    await givenAccount([entry]);
    const id = await start();
    await sweepUntilReady();
    const lines = await linesOf(id);
    expect(lines).toContain("# unread | 1");
    expect(lines.find((line) => line.startsWith("# not read"))).toContain(`${refs[0]}`);
    expect(rowsIn(lines)).toHaveLength(1);
    const [file] = await listMovementFiles();
    expect(file?.unread).toHaveLength(1);
  });
});
