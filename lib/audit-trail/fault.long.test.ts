import { randomUUID } from "node:crypto";
import { inspect } from "node:util";
import { generateSync } from "otplib";
import { headers } from "next/headers";
import { afterAll, beforeEach, describe, expect, it, vi } from "vitest";
import { ACTIONS } from "@/lib/permission/access";
import { beginSecondStep, enterByEnrolment, enterByFactor } from "@/lib/auth/entry";
import { startEnrolment } from "@/lib/auth/factor";
import { can, ROLES } from "@/lib/permission/permission";
import { getOpenSession, getSession } from "@/lib/auth/session";
import { endWhere, openSessionFor, type Session } from "@/lib/auth/sessions";
import { openSession } from "@/test/support/auth";
import { addFile } from "@/lib/notes/file";
import { scopeIdOf } from "@/lib/auth/view";
import { caseTarget } from "@/lib/kyc/notes";
import { givenCase } from "@/test/support/kyc";
import { recordAccess } from "@/lib/audit/access-log";
import { addStaff } from "@/lib/staff/records";
import { exportsOf, isCallable } from "@/test/registries/tenants";
import { actorOf } from "@/test/support/console";
import { internalOrder, orderInternalTransfer } from "@/test/support/transfers";
import { ACTS, UNRECORDED } from "@/test/registries/acts";
import { givenStage, PASSWORD, type Stage } from "@/test/support/stage";
import { changedTables, contentsOf, NO_ROOM, whileRecordFails } from "@/test/support/audit";

type Write = () => Promise<unknown>;

/** Writes that are no actions: sign-ins and sign-outs, audited reads, transfers, commands. */
const BEYOND: Readonly<Record<string, (stage: Stage) => Promise<Write>>> = {
  "a sign-in": async ({ db, person }) => {
    const opening = { staffId: person, tenant: "aurora", how: "password", secondFactor: false } as const;
    return () => db.transaction((tx) => openSessionFor(tx, opening));
  },
  "a refused sign-in": async ({ person, withPassword }) => {
    await withPassword(person);
    return () => openSession(`${person}@aurora.example`, "nao e esta");
  },
  "a sign-out": async ({ db, seat, person }) => {
    await seat(person);
    return () => db.transaction((tx) => endWhere(tx, undefined, { reason: "signed-out", by: person }));
  },
  "a refused code at sign-in": async ({ db, seat, person, withFactor }) => {
    await withFactor(await seat(person));
    const step = await beginSecondStep(db, person, "password");
    return () => enterByFactor(step, "000000");
  },
  "setting an app up": async ({ db, seat, person }) => {
    const session = await seat(person);
    const { secret } = await startEnrolment(db, person, session.email);
    return () => enterByEnrolment(session, generateSync({ secret, epoch: Date.now() / 1000 }));
  },
  "a look at a customer": async ({ person }) => {
    const reader = actorOf("support", person, "accounts:read");
    return () => recordAccess(reader, `account:${randomUUID()}`);
  },
  "a file put to a case": async ({ db, seatOf }) => {
    const { staffId } = await seatOf("compliance");
    const target = caseTarget("aurora", await givenCase(db));
    const file = { fileId: randomUUID(), name: "contrato.pdf", bytes: Buffer.from("%PDF-1.7") };
    return () => addFile(actorOf("compliance", staffId, "kyc:note"), target, file);
  },
  "a transfer":
    async ({ maker, parties }) =>
    () =>
      orderInternalTransfer(maker, internalOrder(parties)),
  "a proposal":
    async ({ propose }) =>
    () =>
      propose(),
  "an account by command": async ({ db }) => {
    const rui = { email: "rui@aurora.example", name: "Rui", roles: ["support" as const], password: PASSWORD };
    return () => addStaff(db, { ...rui, tenants: ["aurora"] });
  },
};

const actions = await exportsOf("actions", isCallable);

let stage: Stage;
beforeEach(async () => {
  vi.mocked(headers).mockResolvedValue(new Headers({ origin: "http://localhost:3000" }));
  stage = await givenStage();
});

function act(name: string, { by, input }: { by: Session | null; input: unknown }): Promise<unknown> {
  vi.mocked(getSession).mockResolvedValue(by);
  vi.mocked(getOpenSession).mockResolvedValue(by);
  const action = actions.get(name);
  if (action === undefined) throw new Error(`${name} is no action`);
  return action(input, by === null ? "" : scopeIdOf(by));
}

let writes = 0;
let effects = 0;
afterAll(() => console.info(`audit record: ${writes} writes while nothing can be recorded: ${effects} effects`));

/** The result while nothing can be audited. */
const SAYS_STORE_IS_SILENT = /ok: false[^]*kind: 'unavailable'/;

async function tryInVain(write: Write) {
  const before = await contentsOf(stage.db);
  const sentBefore = stage.sent.sent;
  const end = await whileRecordFails(stage.db, () =>
    write().then(
      (answer) => ({ isDone: true, said: inspect(answer) }),
      (error: unknown) => ({ isDone: false, said: inspect(error, { depth: 6 }) }),
    ),
  );
  const changed = changedTables(before, await contentsOf(stage.db));
  const sent = stage.sent.sent - sentBefore;
  writes += 1;
  effects += changed.length + sent;
  // An action returns a failure; anything else throws the store's error.
  const hasFailedForThat = end.isDone ? SAYS_STORE_IS_SILENT.test(end.said) : end.said.includes(NO_ROOM);
  return { failed: hasFailedForThat || end.said, changed, sent };
}

const NO_EFFECT = { failed: true, changed: [], sent: 0 };

it("lists for every action how it writes, or why it audits nothing", () => {
  expect([...Object.keys(ACTS), ...Object.keys(UNRECORDED)].toSorted()).toEqual(Object.keys(ACTIONS).toSorted());
});

const acts = Object.entries(ACTS).flatMap(([name, ways]) =>
  Object.entries(ways).map(([way, ready]) => [way, name, ready] as const),
);

describe("while nothing can be put on record", () => {
  it.each(acts)("%s has no effect until it can be audited, and is audited once (%s)", async (_, name, ready) => {
    const readied = await ready(stage);
    expect(await tryInVain(() => act(name, readied))).toEqual(NO_EFFECT);
    const before = await contentsOf(stage.db);
    await act(name, readied);
    expect(changedTables(before, await contentsOf(stage.db))).toContain("audit_event");
  });

  it.each(Object.entries(BEYOND))("%s has no effect", async (_, ready) => {
    expect(await tryInVain(await ready(stage))).toEqual(NO_EFFECT);
  });

  it("audits every refusal, whatever was tried", async () => {
    const seen: unknown[] = [];
    for (const [name, { needs }] of Object.entries(ACTIONS)) {
      if (needs === "anybody" || needs === "signed-in" || needs === "enrolling") continue;
      const role = ROLES.find((one) => !can([one], needs));
      if (role === undefined) continue;
      const by = await stage.seatOf(role);
      seen.push(await tryInVain(() => act(name, { by, input: null })));
    }
    expect(seen.length).toBeGreaterThan(10);
    expect(seen).toEqual(seen.map(() => NO_EFFECT));
  });
});
