import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { type Db, db as openStore } from "@/lib/db/connection";
import { auditEvent } from "@/lib/db/tables/audit";
import { tenantSetting } from "@/lib/db/tables/settings";
import { staffMembership } from "@/lib/db/tables/auth";
import { givenEnv, givenStaff, givenStore } from "@/test/support/console";
import { isAllowed, readNetwork, recordAddressRefusal } from "./allowed-addresses";
import { findSession, findSessionFrom, findSessions, hashOf, openSessionFor } from "./sessions";

describe("an address or a network", () => {
  it.each([
    ["203.0.113.7", "203.0.113.7"],
    [" 203.0.113.7/32 ", "203.0.113.7"],
    ["203.0.113.0/24", "203.0.113.0/24"],
    ["203.0.113.0/255.255.255.0", "203.0.113.0/24"],
    ["10.0.0.0/255.0.0.0", "10.0.0.0/8"],
    ["203.0.113.7/255.255.255.255", "203.0.113.7"],
    ["2001:DB8:0:0:0:0:0:1", "2001:db8::1"],
    ["[2001:db8::1]", "2001:db8::1"],
    ["2001:db8::/48", "2001:db8::/48"],
    ["::ffff:203.0.113.7", "203.0.113.7"],
    ["::FFFF:cb00:7107", "203.0.113.7"],
    ["::ffff:203.0.113.0/120", "203.0.113.0/24"],
  ])("reads %j as %s", (typed, read) => {
    expect(readNetwork(typed)).toBe(read);
  });

  it.each([
    "",
    "desk.example",
    "203.0.113",
    "203.0.113.07",
    "203.0.113.7/33",
    "203.0.113.7/0",
    "0.0.0.0/0.0.0.0",
    "203.0.113.0/255.0.255.0",
    "203.0.113.0/24/8",
    "203.0.113.7/-1",
    "::/0",
    "2001:db8::/129",
    "::ffff:203.0.113.7/96",
    "fe80::1%eth0",
    "203.0.113.7:443",
  ])("reads nothing from %j", (typed) => {
    expect(readNetwork(typed)).toBeNull();
  });

  it.each([
    [["203.0.113.0/24"], "203.0.113.7", true],
    [["203.0.113.0/24"], "::ffff:203.0.113.7", true],
    [["203.0.113.0/24"], "::ffff:cb00:7107", true],
    [["203.0.113.0/24"], "203.0.114.7", false],
    [["203.0.113.7"], "203.0.113.8", false],
    [["2001:db8::/48"], "2001:DB8:0:1::9", true],
    [["2001:db8::/48"], "2001:db9::9", false],
    [["fe80::/10"], "fe80::1%eth0", true],
    [["10.0.0.0/8", "2001:db8::1"], "2001:db8::1", true],
    [["10.0.0.0/8"], null, false],
    [["10.0.0.0/8"], "unknown", false],
    [[], null, true],
  ])("says of the list %j and %s: %s", (networks, address, is) => {
    expect(isAllowed(networks, address)).toBe(is);
  });
});

describe("a session", () => {
  const [aurora] = givenEnv().tenants;
  let db: Db;
  let staffId = "";
  let sessionId = "";

  beforeEach(async () => {
    givenEnv({ tenants: [aurora, { ...aurora, clientId: "boreal", name: "Boreal" }] });
    await givenStore();
    db = await openStore();
    staffId = await givenStaff(db, "auditor");
    sessionId = await db.transaction((tx) =>
      openSessionFor(tx, { staffId, tenant: "aurora", how: "password", secondFactor: true }),
    );
  });

  const givenList = (value: string[], version = 1, tenant = "aurora") =>
    db
      .insert(tenantSetting)
      .values({ tenant, name: "allowed-addresses", version, value, actor: staffId, createdAt: new Date() });
  const from = (address: string | null) => findSessionFrom(sessionId, address);

  it("opens from anywhere without a list, and with one from its addresses alone", async () => {
    expect(await from(null)).toMatchObject({ staffId, tenant: "aurora" });
    await givenList(["203.0.113.0/24"]);
    expect(await from("203.0.113.7")).toMatchObject({ staffId, tenant: "aurora", roles: ["auditor"] });
    expect(await from("198.51.100.7")).toEqual({ staffId, tenant: "aurora", address: "198.51.100.7" });
    expect(await from(null)).toEqual({ staffId, tenant: "aurora", address: null });
    await givenList([], 2);
    expect(await from("198.51.100.7")).toMatchObject({ tenant: "aurora", roles: ["auditor"] });
  });

  it("can be ended from an address that is refused", async () => {
    await givenList(["203.0.113.0/24"]);
    expect(await findSession(sessionId)).toMatchObject({ staffId });
  });

  it("moves to another tenant of the person whose list has the address", async () => {
    await db.insert(staffMembership).values({ staffId, tenant: "boreal", roles: ["support"] });
    await givenList(["203.0.113.0/24"]);
    expect(await from("198.51.100.7")).toMatchObject({ tenant: "boreal", roles: ["support"] });
    await givenList(["192.0.2.0/24"], 1, "boreal");
    expect(await from("198.51.100.7")).toEqual({ staffId, tenant: "aurora", address: "198.51.100.7" });
  });

  it("ends a stream from an address that is refused, and no other of the same session", async () => {
    await givenList(["203.0.113.0/24"]);
    const idHash = hashOf(sessionId);
    const [near, far] = await findSessions([
      { idHash, address: "203.0.113.7" },
      { idHash, address: "198.51.100.7" },
    ]);
    expect([near?.tenant, far]).toEqual(["aurora", null]);
  });

  it("is refused on record once an hour for each address, whoever asks at once", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const refused = { staffId, tenant: "aurora", address: "198.51.100.7" };
    await Promise.all(Array.from({ length: 10 }, () => recordAddressRefusal(refused)));
    await recordAddressRefusal({ ...refused, address: "2001:db8::1" });
    const ofRefusals = eq(auditEvent.code, "session.address");
    const rows = await db.select().from(auditEvent).where(ofRefusals).orderBy(auditEvent.seq);
    expect(rows.map(({ detail }) => detail)).toEqual([{ address: "198.51.100.•" }, { address: "2001:db8:…" }]);
    expect(rows).toMatchObject([{ actor: staffId, outcome: "REFUSED" }, { actor: staffId }]);
  });
});
