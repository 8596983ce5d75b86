import { eq } from "drizzle-orm";
import { beforeEach, expect, it } from "vitest";
import { type Db, db as openStore } from "@/lib/db/connection";
import { auditEvent } from "@/lib/db/tables/audit";
import { tenantSetting } from "@/lib/db/tables/settings";
import { actorOf, givenEnv, givenStaff, givenStore } from "@/test/support/console";
import { changeAddressList, readAddressList } from "./address-list";
import { AddressListForm } from "./inputs";
import { openToAll, readNetworks } from "./networks";

let db: Db;
let staffId = "";

beforeEach(async () => {
  givenEnv();
  await givenStore();
  db = await openStore();
  staffId = await givenStaff(db, "admin");
});

const admin = () => actorOf("admin", staffId, "settings:manage");
const form = (addresses: string, version = 0) => AddressListForm.parse({ addresses, version });
const records = () => db.select().from(auditEvent).where(eq(auditEvent.code, "settings.addresses"));

it("saves each address once, in its shortest spelling, with the difference on record", async () => {
  const first = form("203.0.113.0/24, 203.0.113.0/255.255.255.0\n2001:DB8::/32");
  expect(await changeAddressList(admin(), first)).toEqual({
    version: 1,
    networks: ["203.0.113.0/24", "2001:db8::/32"],
  });
  await changeAddressList(admin(), form("203.0.113.7", 1));
  expect((await records()).map(({ detail }) => detail)).toEqual([
    { version: 1, addressesAdded: "203.0.113.0/24, 2001:db8::/32" },
    { version: 2, addressesAdded: "203.0.113.7", addressesRemoved: "203.0.113.0/24, 2001:db8::/32" },
  ]);
  const { history, ownAddress } = await readAddressList(admin());
  expect(history).toMatchObject([{ version: 2, byName: "Ana Prado", added: ["203.0.113.7"] }, { version: 1 }]);
  expect(ownAddress).toBe("203.0.113.7");
});

it("refuses a list without the address of whoever saves it, at its field", async () => {
  await expect(changeAddressList(admin(), form("198.51.100.0/24"))).rejects.toMatchObject({
    details: { issues: [{ path: ["addresses"], params: { code: "own-address-missing", word: "203.0.113.7" } }] },
  });
  expect(await db.$count(tenantSetting)).toBe(0);
});

it("names what it cannot read", () => {
  const read = AddressListForm.safeParse({ addresses: "203.0.113.7\n10.0.0.0/40", version: 0 });
  expect(read.error?.issues).toMatchObject([
    { path: ["addresses"], params: { code: "address-unread", word: "10.0.0.0/40" } },
  ]);
  const many = Array.from({ length: 201 }, (_, nth) => `10.0.0.${nth}`).join(" ");
  const long = AddressListForm.safeParse({ addresses: many, version: 0 });
  expect(long.error?.issues).toMatchObject([{ params: { code: "too-many-addresses", word: "200" } }]);
});

it("takes one of ten lists saved at once, and tells the others", async () => {
  const tried = await Promise.allSettled(
    Array.from({ length: 10 }, (_, nth) => changeAddressList(admin(), form(`203.0.113.7 10.0.0.${nth}`))),
  );
  const refused = tried.flatMap((one) => (one.status === "rejected" ? [one.reason] : []));
  expect(refused).toHaveLength(9);
  for (const reason of refused) expect(reason).toMatchObject({ details: { code: "setting-changed" } });
  expect(await records()).toHaveLength(1);
});

it("is emptied by the command line, on record as such, at one tenant alone", async () => {
  await changeAddressList(admin(), form("203.0.113.7"));
  await openToAll(db, "boreal");
  expect(await readNetworks(db, "aurora")).toEqual(["203.0.113.7"]);
  await openToAll(db, "aurora");
  expect(await readNetworks(db, "aurora")).toEqual([]);
  expect((await records()).at(-1)).toMatchObject({ actor: "command", detail: { isOpen: true } });
});
