import { randomUUID } from "node:crypto";
import { asc, desc, eq, isNotNull } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { provider } from "@/lib/provider/client";
import { type Manner, otherProvider } from "@/test/other-provider";
import { completeCpf } from "@/lib/contract/document";
import { AccountRequested } from "@/lib/contract/onboarding";
import { account, onboarding } from "@/lib/db/tables/customers";
import { watchState } from "@/lib/db/tables/watch";
import { auditEvent } from "@/lib/db/tables/audit";
import type { Db } from "@/lib/db/connection";
import { actorOf, givenEnv, givenService, givenStaff, givenStore } from "@/test/support/console";
import { sweepOnce } from "@/lib/watch/watch";
import { personRequest } from "@/test/support/service/accounts";
import type { Harness } from "@/test/support/service/harness";
import { check, CHECK_REST_MS, follow } from "./follow";
import { readUnreadOnboardings } from "./records";
import { onboardingWatch } from "@/lib/boot/onboarding-watch";
import { readListed } from "./watch";

const INTENT = "7b1c9f0e-6f0a-4c56-9d2e-0a4b1c2d3e4f";

let db: Db;
let service: Harness;
let staffId = "";
let checked: string[] = [];
let manner: Manner | null = null;

beforeEach(async () => {
  givenEnv();
  db = await givenStore();
  staffId = await givenStaff(db, "compliance");
  checked = [];
  manner = null;
  const note = (request: Request) => {
    const asked = new URL(request.url).searchParams.get("onBoardingId");
    if (asked !== null) checked.push(asked);
  };
  service = await givenService(
    note,
    (serve) => (request) => (manner === null ? serve(request) : otherProvider(serve, manner)(request)),
  );
  // The watch uses today's civil dates.
  service.clock.set(Date.now());
});

afterEach(() => {
  vi.restoreAllMocks();
});

async function requestAccount(document: string): Promise<string> {
  const { body } = await service.send("POST", "/v1/bank-accounts/create", { body: personRequest(document) });
  return AccountRequested.parse(body).data.body.onBoardingId;
}

const steer = (id: string, body: Record<string, unknown>) =>
  service.control("POST", `/sandbox/onboardings/${id}`, body);
const rows = () => db.select().from(onboarding).orderBy(desc(onboarding.firstSeenAt), asc(onboarding.seq));
const makeDue = () =>
  db
    .update(onboarding)
    .set({ nextCheckAt: new Date(0) })
    .where(isNotNull(onboarding.nextCheckAt));
const cpf = (n: number) => completeCpf(String(310_000_100 + n));

describe("the onboarding watch", () => {
  it("finds onboardings begun elsewhere and seals their documents", async () => {
    const id = await requestAccount(cpf(1));
    await sweepOnce(onboardingWatch, "aurora");
    const [row] = await rows();
    expect(row).toMatchObject({ onBoardingId: id, status: "PROCESSING" });
    expect(JSON.stringify(row)).not.toContain(cpf(1));
  });

  it("names the onboarding in the call log, never its document", async () => {
    await requestAccount(cpf(9));
    await sweepOnce(onboardingWatch, "aurora");
    const [row] = await rows();
    const asking = vi.spyOn(provider, "get");
    await makeDue();
    await sweepOnce(onboardingWatch, "aurora");
    const actor = actorOf("compliance", staffId, "onboarding:follow");
    await follow(actor, { query: cpf(9), intentId: INTENT });
    const given = asking.mock.calls
      .filter(([, { path }]) => path.endsWith("/checkOnboarding"))
      .map(([, , what]) => what);
    expect(given.map((what) => what?.object)).toEqual([`onboarding:${row?.id}`, `onboarding:${row?.id}`]);
  });

  it("asks only about due, open onboardings", async () => {
    const open = await requestAccount(cpf(2));
    const done = await requestAccount(cpf(3));
    await steer(done, { status: "CONFIRMED" });
    await sweepOnce(onboardingWatch, "aurora");
    expect(checked.toSorted()).toEqual([open, done].toSorted());
    await sweepOnce(onboardingWatch, "aurora");
    expect(checked).toHaveLength(2);
    await makeDue();
    await sweepOnce(onboardingWatch, "aurora");
    expect(checked.slice(2)).toEqual([open]);
  });

  it("sees an onboarding end and keeps its account under an opaque reference", async () => {
    const id = await requestAccount(cpf(4));
    await sweepOnce(onboardingWatch, "aurora");
    await steer(id, { status: "CONFIRMED" });
    await makeDue();
    await sweepOnce(onboardingWatch, "aurora");
    const [row] = await rows();
    expect(row).toMatchObject({ status: "CONFIRMED", nextCheckAt: null });
    const [stored] = await db.select().from(account);
    expect(stored?.accountId).toBe(row?.accountId);
    expect(stored?.ref).not.toBe(stored?.accountId);
  });

  it("continues with other onboardings when one cannot be read", async () => {
    const bad = await requestAccount(cpf(11));
    await sweepOnce(onboardingWatch, "aurora");
    const good = await requestAccount(cpf(12));
    await makeDue();
    const gone = { method: "GET", path: "/v1/bank-accounts/checkOnboarding", status: 404, body: { message: "gone" } };
    await service.control("POST", "/sandbox/faults", { ...gone, times: 1 });
    await sweepOnce(onboardingWatch, "aurora");
    expect(new Set((await rows()).map(({ onBoardingId }) => onBoardingId))).toEqual(new Set([bad, good]));
    const [state] = await db.select().from(watchState);
    expect(state).toMatchObject({ failedAt: null });
    const [troubled] = await db.select().from(onboarding).where(eq(onboarding.onBoardingId, bad));
    expect(troubled?.nextCheckAt?.getTime()).toBeGreaterThan(Date.now());
  });

  it("retries unreadable new onboardings after unread ones", async () => {
    await sweepOnce(onboardingWatch, "aurora");
    for (const n of [21, 22, 23, 24, 25, 26]) await requestAccount(cpf(n));
    const gone = { method: "GET", path: "/v1/bank-accounts/checkOnboarding", status: 404, body: { message: "gone" } };
    await service.control("POST", "/sandbox/faults", { ...gone, times: 5 });
    await sweepOnce(onboardingWatch, "aurora");
    const first = checked.splice(0);
    const second = checked;
    expect([first.length, await rows()]).toEqual([5, []]);
    await sweepOnce(onboardingWatch, "aurora");
    expect(first).not.toContain(second[0]);
    await sweepOnce(onboardingWatch, "aurora");
    expect(await rows()).toHaveLength(6);
  });

  it("keeps a refused onboarding's messages", async () => {
    const id = await requestAccount(cpf(5));
    const message = {
      id: "onboarding-backgroundcheck",
      date: "2026-03-10T12:00:00.000Z",
      message: "Documento ilegível",
      status: "proposal-reproved",
      actionRequired: true,
    };
    await steer(id, { status: "ERROR", messages: [message] });
    await sweepOnce(onboardingWatch, "aurora");
    const [row] = await rows();
    expect(row?.messages).toMatchObject([message]);
  });
});

const follower = () => actorOf("compliance", staffId, "onboarding:follow");

describe("following an onboarding", () => {
  it("keeps one row by document, which gets its id when the watch finds it", async () => {
    const onBoardingId = await requestAccount(cpf(6));
    const { id } = await follow(follower(), { query: cpf(6), intentId: INTENT });
    expect(await rows()).toMatchObject([{ id, onBoardingId: null }]);
    await sweepOnce(onboardingWatch, "aurora");
    expect(await rows()).toMatchObject([{ id, onBoardingId }]);
  });

  it("audits a followed onboarding without the document", async () => {
    await requestAccount(cpf(7));
    await follow(follower(), { query: cpf(7), intentId: INTENT });
    const trail = await db.select().from(auditEvent);
    expect(trail).toMatchObject([{ code: "onboarding.follow", outcome: "DONE", actor: staffId }]);
    expect(JSON.stringify(trail)).not.toContain(cpf(7));
  });

  it("says that there is none for an unknown document", async () => {
    await expect(follow(follower(), { query: cpf(8), intentId: INTENT })).rejects.toMatchObject({
      kind: "not-found",
      details: { code: "onboarding-unknown" },
    });
    expect(await rows()).toEqual([]);
  });

  it("checks an onboarding at once and returns only the row's id", async () => {
    const onBoardingId = await requestAccount(cpf(9));
    const { id } = await follow(follower(), { query: onBoardingId, intentId: INTENT });
    await steer(onBoardingId, { status: "CONFIRMED" });
    const answer = await check(actorOf("support", staffId, "onboarding:read"), { id });
    expect(answer).toEqual({ id, isAsked: true, restMs: CHECK_REST_MS });
    expect(await rows()).toMatchObject([{ status: "CONFIRMED" }]);
  });

  it("makes one call for repeated checks within seconds, and says when to retry", async () => {
    const { id } = await follow(follower(), { query: await requestAccount(cpf(14)), intentId: INTENT });
    const reader = actorOf("support", staffId, "onboarding:read");
    checked.length = 0;
    await check(reader, { id });
    const again = await check(reader, { id });
    expect(again).toMatchObject({ id, isAsked: false });
    expect(again.restMs).toBeGreaterThan(0);
    expect(again.restMs).toBeLessThanOrEqual(CHECK_REST_MS);
    expect(checked).toHaveLength(1);
    const rested = new Date(Date.now() - CHECK_REST_MS);
    await db.update(onboarding).set({ askedAt: rested });
    expect(await check(reader, { id })).toMatchObject({ isAsked: true });
  });

  it("leads to the queue's row even when the provider has forgotten it", async () => {
    const onBoardingId = await requestAccount(cpf(15));
    const first = await follow(follower(), { query: onBoardingId, intentId: INTENT });
    expect(first.isKnown).toBe(false);
    expect(await follow(follower(), { query: cpf(15), intentId: randomUUID() })).toEqual({
      id: first.id,
      isKnown: true,
    });
    const gone = { method: "GET", path: "/v1/bank-accounts/checkOnboarding", status: 404, body: { message: "gone" } };
    await service.control("POST", "/sandbox/faults", { ...gone, times: 1 });
    expect(await follow(follower(), { query: cpf(15), intentId: randomUUID() })).toEqual({
      id: first.id,
      isKnown: true,
    });
  });
});

describe("an answer that the interface does not show", () => {
  it.each([
    ["a list under data", { data: { accounts: [{ onBoardingId: "a" }] } }, ["a"], 0],
    ["a list at the top", { accounts: [{ onBoardingId: "a" }, { other: 1 }] }, ["a"], 1],
    ["data that is the list", { data: [{ onBoardingId: "a" }] }, ["a"], 0],
    ["nothing but the list", [{ id_abertura: "a" }, { abertura: { id: "b" } }], ["a", "b"], 0],
    ["a list further down", { body: { resposta: { dados: { contas: [{ idAbertura: "a" }] } } } }, ["a"], 0],
    ["holders instead of ids", { contas: [{ titular: { cpf: "529.982.247-25" } }] }, ["52998224725"], 0],
    ["ids under names of its own", { RESULTADO: [{ PROPOSTA: { CODIGO: "P-9" }, FASE: "EM_MESA" }] }, ["P-9"], 0],
    ["documents under names of its own", { lista: [{ nr_cpf: "529.982.247-25", etapa: 3 }] }, ["52998224725"], 0],
    ["no list at all", { data: "none" }, [], 1],
    ["a list of something else", { data: { accounts: [1, null, "x"] } }, [], 3],
    ["an empty list", { data: { accounts: [] } }, [], 0],
  ])("returns an answer's content with %s, and counts what is unreadable", (_, answer, asked, unread) => {
    const listed = readListed(answer, 0);
    expect(listed.found.map((one) => one.asked)).toEqual(asked);
    expect(listed.unread).toHaveLength(unread);
  });

  it("shows an unreadable record's status in the provider's word", async () => {
    await requestAccount(cpf(31));
    manner = { openings: "foreign" };
    await sweepOnce(onboardingWatch, "aurora");
    const [unread] = await readUnreadOnboardings(actorOf("compliance", staffId, "onboarding:read"));
    expect(unread?.fields.map(({ path, value }) => [path, value])).toEqual([
      ["FASE", "EM_MESA_7"],
      ["PESSOA_JURIDICA.CONTATO[0]", "•••"],
      ["PESSOA_JURIDICA.CONTATO[1]", "•••"],
    ]);
  });

  it("follows an onboarding by an id under an unknown name", async () => {
    await requestAccount(cpf(32));
    manner = { openings: "coded" };
    await sweepOnce(onboardingWatch, "aurora");
    expect(await db.$count(onboarding)).toBe(1);
    expect(await readUnreadOnboardings(actorOf("compliance", staffId, "onboarding:read"))).toEqual([]);
  });

  it("names an unreadable record's fields and keeps none of its texts", async () => {
    const entry = { protocolo: "P-1", cliente: "Tereza Lemos", aprovado: true };
    const listing = { method: "GET", path: "/v1/bank-accounts/getAccounts", status: 200, body: { data: [entry] } };
    await service.control("POST", "/sandbox/faults", { ...listing, times: 10 });
    await sweepOnce(onboardingWatch, "aurora");
    const reader = actorOf("compliance", staffId, "onboarding:read");
    expect(await readUnreadOnboardings(reader)).toEqual([
      {
        fields: [
          { path: "protocolo", value: "•••", isMasked: true },
          { path: "cliente", value: "•••", isMasked: true },
          { path: "aprovado", value: "true", isMasked: false },
        ],
        more: 0,
      },
    ]);
    const [state] = await db.select().from(watchState).where(eq(watchState.name, "onboarding"));
    expect(JSON.stringify(state?.memory)).not.toContain("Tereza");
  });

  it.each([
    ["from 0", { firstPage: 0 }],
    ["from 1", { firstPage: 1 }],
  ] as const)("reads a whole list with the provider's own page numbers %s", async (_, numbering) => {
    const ids = [];
    for (let nth = 1; nth <= 5; nth += 1) ids.push(await requestAccount(cpf(nth)));
    manner = { accounts: { ...numbering, pageSize: 2 }, undocumented: { names: "portuguese", wrapping: "nested" } };
    await sweepOnce(onboardingWatch, "aurora");
    expect(new Set((await rows()).map(({ onBoardingId }) => onBoardingId))).toEqual(new Set(ids));
  });
});

describe("two readers of one customer at once", () => {
  it("stores one row for two concurrent readers of a customer", async () => {
    await requestAccount(cpf(10));
    await Promise.all([1, 2, 3].map(() => follow(follower(), { query: cpf(10), intentId: INTENT })));
    expect(await rows()).toHaveLength(1);
  });
});
