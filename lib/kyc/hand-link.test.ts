import { beforeEach, expect, it } from "vitest";
import type { Db } from "@/lib/db/connection";
import { auditEvent } from "@/lib/db/tables/audit";
import { kycEvent } from "@/lib/db/tables/kyc";
import { liveEvent } from "@/lib/db/tables/live";
import { actorOf, givenEnv, givenStaff, givenStore } from "@/test/support/console";
import type { LinkStep } from "@/lib/text/handed-link";
import { givenCase } from "@/test/support/kyc";
import { noteCaseEvents } from "./events";
import { handOverLink, webviewKey } from "./hand-link";
import { readCase } from "./read-case";

const LINK = "https://verifica.example/w/canary-5521";
const tenant = "aurora";

let db: Db;
let ana = "";
let kycUUID = "";

beforeEach(async () => {
  givenEnv();
  db = await givenStore();
  ana = await givenStaff(db, "compliance");
  kycUUID = await givenCase(db, { webviews: [{ vatNumber: null, url: LINK }] });
});

const who = () => actorOf("compliance", ana, "onboarding:follow");
const wanted = (use: LinkStep, url = LINK) => ({ kycUUID, link: webviewKey(url), use });
const refusal = (text: string) => ({ details: { code: text } });
const webview = async () => (await readCase(actorOf("compliance", ana, "kyc:read"), kycUUID))?.webviews[0];

it("hands a case's page over as QR code or as text, each on record", async () => {
  const shown = await handOverLink(who(), wanted("shown"));
  expect(shown).toMatchObject({ href: LINK, host: "verifica.example", drawing: { size: expect.any(Number) } });
  expect(await handOverLink(who(), wanted("copied"))).toMatchObject({ href: LINK, drawing: null });
  const events = await db.select().from(kycEvent).orderBy(kycEvent.id);
  expect(events.map(({ kind, actor }) => [kind, actor])).toEqual([
    ["link-shown", ana],
    ["link-copied", ana],
  ]);
  const rows = await db.select().from(auditEvent).orderBy(auditEvent.seq);
  expect(rows.map(({ code, detail }) => [code, detail["use"]])).toEqual([
    ["kyc.link", "shown"],
    ["kyc.link", "copied"],
  ]);
  expect(JSON.stringify([events, rows, await db.select().from(liveEvent)])).not.toContain("canary");
});

it("records a link as copied only once the clipboard took it", async () => {
  expect(await handOverLink(who(), wanted("taken"))).toMatchObject({ href: LINK, drawing: null });
  expect(await webview()).toMatchObject({ uses: [], newsAt: null });
  expect(await db.$count(kycEvent)).toBe(0);
  const [row] = await db.select().from(auditEvent);
  expect(row).toMatchObject({ code: "kyc.link", actor: ana, detail: { use: "taken" } });
});

it("keeps each step of ten at once by two people, and only copies that were said", async () => {
  const bruna = await givenStaff(db, "compliance");
  const people = [who(), actorOf("compliance", bruna, "onboarding:follow")];
  const steps = Array.from({ length: 5 }, () => ["taken", "copied"] as const).flat();
  await Promise.all(people.flatMap((person) => steps.map((use) => handOverLink(person, wanted(use)))));
  const events = await db.select().from(kycEvent);
  expect(events.map(({ kind }) => kind)).toEqual(Array.from({ length: 10 }, () => "link-copied"));
  expect(events.filter(({ actor }) => actor === bruna)).toHaveLength(5);
  const rows = await db.select().from(auditEvent);
  expect(rows.filter(({ detail }) => detail["use"] === "taken")).toHaveLength(10);
  expect(rows).toHaveLength(20);
});

it("shows the newest of more uses than it lists", async () => {
  const link = webviewKey(LINK);
  const shown = { tenant, kycUUID, kind: "link-shown", actor: ana, detail: { link } } as const;
  await noteCaseEvents(
    db,
    Array.from({ length: 200 }, () => shown),
  );
  await handOverLink(who(), wanted("copied"));
  const told = await webview();
  expect(told?.uses[0]).toMatchObject({ use: "copied" });
  expect(told?.uses).toHaveLength(200);
});

it("shows in the case who handed it over and when the provider told more since", async () => {
  expect(await webview()).toMatchObject({ host: "verifica.example", isSafe: true, uses: [], newsAt: null });
  await handOverLink(who(), wanted("copied"));
  expect(await webview()).toMatchObject({ uses: [{ use: "copied", isMine: true }], newsAt: null });
  await noteCaseEvents(db, [{ tenant, kycUUID, kind: "moved", actor: null, detail: { from: "PENDING" } }]);
  const told = await webview();
  expect(told?.newsAt).not.toBeNull();
  expect(JSON.stringify(told)).not.toContain("canary");
  await handOverLink(who(), wanted("shown"));
  expect(await webview()).toMatchObject({ uses: [{ use: "shown" }, { use: "copied" }], newsAt: null });
});

it("refuses an unknown page, an unsafe one, and another tenant's, and notes nothing", async () => {
  await expect(handOverLink(who(), wanted("copied", "https://outra.example"))).rejects.toMatchObject(
    refusal("webview-gone"),
  );
  const plain = "http://verifica.example/w";
  kycUUID = await givenCase(db, { webviews: [{ vatNumber: null, url: plain }] });
  await expect(handOverLink(who(), wanted("copied", plain))).rejects.toMatchObject(refusal("link-unsafe"));
  kycUUID = await givenCase(db, { tenant: "boreal", webviews: [{ vatNumber: null, url: LINK }] });
  await expect(handOverLink(who(), wanted("copied"))).rejects.toMatchObject({ kind: "not-found" });
  expect(await db.$count(auditEvent)).toBe(0);
});
