import { sql } from "drizzle-orm";
import { expect, it } from "vitest";
import { givenEnv, givenStaff, givenStore } from "@/test/support/console";
import { endIncident, openIncident } from "./incidents";
import { silenceTold } from "./silence-told";

const TENANT = "aurora";
const silence = { tenant: TENANT, kind: "provider-silent" } as const;

it("tells who was mailed of the silence under way, and of no earlier one", async () => {
  givenEnv({ mail: { server: new URL("smtp://127.0.0.1:1"), from: "desk@aurora.example" } });
  const db = await givenStore();
  const told = () => silenceTold(db, TENANT);
  await givenStaff(db, "admin");
  await givenStaff(db, "admin");
  expect(await told()).toEqual({ as: "later", minutes: 5 });
  await db.transaction((tx) => openIncident(tx, silence));
  expect(await told()).toEqual({ as: "waiting" });
  await db.execute(sql`update mail_notice set ended_at = clock_timestamp(), ended_as = 'sent'`);
  expect(await told()).toEqual({ as: "sent", count: 2 });
  await db.transaction((tx) => endIncident(tx, silence));
  expect(await told()).toEqual({ as: "later", minutes: 5 });
});

it("says that nobody is told without a mail server, or where nobody wants the mail", async () => {
  givenEnv({ mail: null });
  const db = await givenStore();
  expect(await silenceTold(db, TENANT)).toEqual({ as: "off" });
  givenEnv({ mail: { server: new URL("smtp://127.0.0.1:1"), from: "desk@aurora.example" } });
  await db.transaction((tx) => openIncident(tx, silence));
  expect(await silenceTold(db, TENANT)).toEqual({ as: "none" });
});
