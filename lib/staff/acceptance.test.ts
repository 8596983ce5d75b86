import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import type { Db } from "@/lib/db/connection";
import { staff } from "@/lib/db/tables/staff";
import { openSession } from "@/test/support/auth";
import { givenEnv, givenStaff, givenStore } from "@/test/support/console";
import { startMailServer } from "@/test/support/mail";
import { acceptAsNew } from "./acceptance";
import { Email } from "./inputs";
import { invite, checkMailable } from "./invitations";
import { addStaff, findId, StaffToAdd } from "./records";

const PASSWORD = "a good long password";
const SPELLINGS = ["joão@padaría.example", "JOÃO@Padaría.example", "joa\u0303o@xn--padara-7va.example"];

let db: Db;
let admin = "";
beforeEach(async () => {
  givenEnv();
  db = await givenStore();
  admin = await givenStaff(db, "admin");
});

const asked = (email: string) => ({ email: Email.parse(email), name: "João Lima", roles: ["support" as const] });
const manager = () => ({ id: admin, tenant: "aurora" });

describe("somebody with letters beyond ASCII in their address", () => {
  it.each(SPELLINGS)("invites a person who accepts and signs in, in any spelling: %j", async (spelling) => {
    const { token } = await invite(db, manager(), asked(spelling));
    await expect(invite(db, manager(), asked(SPELLINGS[0] ?? ""))).rejects.toMatchObject({
      details: { code: "already-invited" },
    });
    await acceptAsNew(db, { token, name: "João Lima", password: PASSWORD });
    for (const typed of SPELLINGS)
      expect(await openSession(typed, PASSWORD)).toMatchObject({ sessionId: expect.any(String) });
    for (const typed of SPELLINGS)
      await expect(invite(db, manager(), asked(typed))).rejects.toMatchObject({ details: { code: "already-member" } });
  });

  it.each(SPELLINGS)("adds a person by command and finds them in any spelling: %j", async (spelling) => {
    const person = StaffToAdd.parse({ ...asked(spelling), password: PASSWORD, tenants: ["aurora"] });
    const added = await addStaff(db, person);
    for (const typed of SPELLINGS) expect(await findId(db, typed)).toBe(added?.id);
    expect(await addStaff(db, { ...person, ...asked(SPELLINGS[2] ?? "") })).toBeNull();
  });

  it("refuses an address beside its field when the mail server cannot send there", async () => {
    const server = await startMailServer({ hideSMTPUTF8: true });
    givenEnv({ mail: server.settings });
    const issues = [{ path: ["email"], params: { code: "email-server" } }];
    await expect(checkMailable("joão@padaría.example")).rejects.toMatchObject({
      kind: "invalid",
      details: { issues },
    });
    await expect(checkMailable("ana@padaría.example")).resolves.toBeUndefined();
    await server.close();
  });

  it("creates no second account for a domain stored as punycode", async () => {
    const id = await givenStaff(db, "support");
    await db.update(staff).set({ email: "ana@xn--padara-7va.example" }).where(eq(staff.id, id));
    expect(await findId(db, "ana@padaría.example")).toBe(id);
    await expect(invite(db, manager(), asked("Ana@padaría.example"))).rejects.toMatchObject({
      details: { code: "already-member" },
    });
  });
});
