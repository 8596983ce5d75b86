import { Writable } from "node:stream";
import { pino } from "pino";
import { beforeEach, expect, it, vi } from "vitest";
import { bankAt } from "@/test/support/provider";
import { flushCalls, logCall } from "@/lib/provider/call-log";
import { providerCall } from "@/lib/db/tables/provider";
import { parseJson, stringifyJson } from "@/lib/contract/json";
import { KycStarted } from "@/lib/contract/kyc";
import { liveEvent } from "@/lib/db/tables/live";
import { watchState } from "@/lib/db/tables/watch";
import { kycCase, kycEvent } from "@/lib/db/tables/kyc";
import { auditEvent } from "@/lib/db/tables/audit";
import type { Db } from "@/lib/db/connection";
import { sweepOnce } from "@/lib/watch/watch";
import { AURORA } from "@/test/support/service/harness";
import { startCase } from "./start";
import { givenStartFixture, personOrder, type StartFormState } from "@/test/support/kyc";
import { kycWatch } from "./watch";

const { lines, saveLine } = vi.hoisted(() => {
  const stored: string[] = [];
  const keep = (chunk: unknown, _: unknown, done: () => void) => {
    stored.push(String(chunk));
    done();
  };
  return { lines: stored, saveLine: keep };
});
// The log writes to its file descriptor directly, so the test must replace it.
vi.mock(import("@/lib/log/log"), async (importOriginal) => {
  const { logOptions } = await importOriginal();
  return { logOptions, log: pino({ ...logOptions, level: "trace" }, new Writable({ write: saveLine })) };
});

const SECRET = "canary-5521";
const LINK = `https://verifica.example/w/${SECRET}`;

let fixture: StartFormState;
/** Replaces the provider's list. */
let listed: (() => Response) | null = null;

beforeEach(async () => {
  fixture = await givenStartFixture();
  lines.length = 0;
  listed = null;
  const serve = async (request: Request) => {
    const { pathname } = new URL(request.url);
    if (pathname === "/v1/kyc/list" && listed !== null) return listed();
    const answer = await fixture.service.app.request(request);
    if (pathname !== "/v1/kyc/person") return answer;
    const started = KycStarted.parse(parseJson(await answer.text()));
    return new Response(stringifyJson({ ...started, data: { ...started.data, webviewUrl: LINK } }));
  };
  let nowMs = Date.now();
  const sleep = async (ms: number) => void (nowMs += ms);
  const clock = { now: () => nowMs, sleep };
  globalThis.retaguardaBanks = new Map([[AURORA.clientId, bankAt({ tenant: AURORA, serve, clock, logCall })]]);
});

const one = { process: "kyc-backgroundcheck", status: "PENDING", kycType: "PF", vatNumber: "***.982.247-**" };
const page = (result: unknown) => () => Response.json({ page: 1, limit: 20, result });

it("writes no verification link into log, calls, audit record or events", async () => {
  await startCase(fixture.ana, personOrder());
  const headers = { "x-request-id": LINK };
  const asked = [
    page([
      { ...one, kycUUID: "k-1", webviewUrl: LINK },
      { ...one, webviewUrl: LINK },
    ]),
    // A report about an unreadable answer must not quote it.
    page(LINK),
    () => new Response(LINK),
    () => Response.json({ message: LINK, error: LINK }, { status: 422, headers }),
    () => Response.json({ message: LINK }, { status: 302, headers: { location: LINK } }),
  ];
  for (const answer of asked) {
    listed = answer;
    await sweepOnce(kycWatch, "aurora");
  }
  await flushCalls();
  expect(await textOf(fixture.db, kycCase)).toContain(SECRET);
  const places = {
    log: lines.join(""),
    calls: await textOf(fixture.db, providerCall),
    record: await textOf(fixture.db, auditEvent),
    "events of cases": await textOf(fixture.db, kycEvent),
    "what open screens are told": await textOf(fixture.db, liveEvent),
    "memory of the watch": await textOf(fixture.db, watchState),
  };
  expect(places).toMatchObject({
    log: expect.stringContaining("sweep failed"),
    calls: expect.stringContaining("/v1/kyc/list"),
    record: expect.stringContaining("kyc.start"),
    "events of cases": expect.stringContaining("started"),
    "what open screens are told": expect.stringContaining("k-1"),
    "memory of the watch": expect.stringContaining("verifica.example/"),
  });
  const leaks = Object.entries(places).filter(([, text]) => text.includes(SECRET));
  expect(leaks.map(([place]) => place)).toEqual([]);
});

async function textOf(db: Db, table: Parameters<ReturnType<Db["select"]>["from"]>[0]): Promise<string> {
  return JSON.stringify(await db.select().from(table));
}
