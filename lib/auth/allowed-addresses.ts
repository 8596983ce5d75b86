import { BlockList, isIP, isIPv4 } from "node:net";
import { and, eq, gt, sql } from "drizzle-orm";
import { z } from "zod";
import { record } from "@/lib/audit/record";
import type { TenantSetting } from "@/lib/audit/tenant-setting";
import { storeTimeBefore } from "@/lib/db/clock";
import { db } from "@/lib/db/connection";
import { holdLock } from "@/lib/db/lock";
import { auditEvent } from "@/lib/db/tables/audit";
import { tenantSetting } from "@/lib/db/tables/settings";
import { staffMembership } from "@/lib/db/tables/auth";
import { createMemory } from "@/lib/log/memory";
import { maskAddress } from "./sign-in-try";

const MAPPED_BITS = 96;
const MAPPED = /^::ffff:([\da-f]{1,4}):([\da-f]{1,4})$/;

function shortestOf(address: string): string | null {
  return isIP(address) === 6 && !address.includes("%") ? new URL(`http://[${address}]`).hostname.slice(1, -1) : null;
}

function mappedOf(shortest: string): string | null {
  const [, high, low] = MAPPED.exec(shortest) ?? [];
  if (high === undefined || low === undefined) return null;
  const bits = [Number.parseInt(high, 16), Number.parseInt(low, 16)];
  return bits.flatMap((part) => [part >> 8, part & 255]).join(".");
}

/** 24 for `24` and for `255.255.255.0`; null for anything else. */
function lengthOf(written: string): number | null {
  if (/^\d{1,3}$/.test(written)) return Number(written);
  if (!isIPv4(written)) return null;
  const bits = written
    .split(".")
    .map((part) => Number(part).toString(2).padStart(8, "0"))
    .join("");
  const [ones = ""] = /^1*/.exec(bits) ?? [];
  return bits.slice(ones.length).includes("1") ? null : ones.length;
}

const written = (address: string, length: number, most: number) => (length === most ? address : `${address}/${length}`);

/** An address or a network, IPv4 or IPv6, in its shortest spelling; null when it cannot be read or is everything. */
export function readNetwork(typed: string): string | null {
  const [front = "", bits, ...others] = typed.trim().split("/");
  if (others.length > 0) return null;
  const address = front.trim().replace(/^\[(.*)\]$/, "$1");
  const length = bits === undefined ? undefined : lengthOf(bits.trim());
  if (length === null || length === 0) return null;
  if (isIPv4(address)) return (length ?? 32) > 32 ? null : written(address, length ?? 32, 32);
  const shortest = shortestOf(address);
  if (shortest === null || (length ?? 128) > 128) return null;
  const mapped = mappedOf(shortest);
  if (mapped === null) return written(shortest, length ?? 128, 128);
  const left = (length ?? 128) - MAPPED_BITS;
  return left < 1 ? null : written(mapped, left, 32);
}

const familyOf = (address: string) => (isIPv4(address) ? "ipv4" : "ipv6");

const lists = createMemory<BlockList>(500);

function listOf(networks: readonly string[]): BlockList {
  const key = networks.join(" ");
  const known = lists.get(key);
  if (known !== undefined) return known;
  const list = new BlockList();
  for (const network of networks) {
    const [address = "", bits] = network.split("/");
    if (bits === undefined) list.addAddress(address, familyOf(address));
    else list.addSubnet(address, Number(bits), familyOf(address));
  }
  lists.set(key, list);
  return list;
}

/** Without networks everybody is; a caller without an address is on no list. */
export function isAllowed(networks: readonly string[], address: string | null): boolean {
  if (networks.length === 0) return true;
  const plain = address?.split("%", 1)[0] ?? "";
  return isIP(plain) > 0 && listOf(networks).check(plain, familyOf(plain));
}

const Networks = z.array(z.string());

const missingIn = (one: readonly string[], other: readonly string[]) =>
  one.filter((network) => !other.includes(network)).join(", ");

export const ALLOWED_ADDRESSES: TenantSetting<string[]> = {
  name: "allowed-addresses",
  schema: Networks,
  standard: [],
  code: "settings.addresses",
  detail(before, after) {
    const added = missingIn(after, before);
    const removed = missingIn(before, after);
    return {
      ...(added !== "" && { addressesAdded: added }),
      ...(removed !== "" && { addressesRemoved: removed }),
      ...(after.length === 0 && { isOpen: true }),
    };
  },
};

const networksIn = (value: unknown): string[] =>
  Networks.parse((typeof value === "string" ? JSON.parse(value) : value) ?? []);

/** Of the membership's tenant, within a query of sessions: no request pays another question for it. */
export const networksOfMembership = sql`(select ${tenantSetting.value} from ${tenantSetting}
  where ${tenantSetting.tenant} = ${staffMembership.tenant} and ${tenantSetting.name} = ${ALLOWED_ADDRESSES.name}
  order by ${tenantSetting.version} desc limit 1)`.mapWith(networksIn);

/** Where somebody came from, and the tenant whose list does not have it. */
export type AddressRefusal = { staffId: string; tenant: string; address: string | null };

const HOUR_MS = 3_600_000;
const recordedAt = createMemory<number>(5_000);

export async function recordAddressRefusal({ staffId, tenant, address }: AddressRefusal): Promise<void> {
  const key = JSON.stringify([tenant, staffId, address]);
  if ((recordedAt.get(key) ?? 0) > Date.now() - HOUR_MS) return;
  const shown = address === null ? null : maskAddress(address);
  await (
    await db()
  ).transaction(async (tx) => {
    await holdLock(tx, `${tenant} ${staffId} refused address`);
    const isTheirs = and(eq(auditEvent.tenant, tenant), eq(auditEvent.actor, staffId));
    const isIt = and(
      eq(auditEvent.code, "session.address"),
      sql`${auditEvent.detail}->>'address' is not distinct from ${shown}`,
    );
    if ((await tx.$count(auditEvent, and(isTheirs, isIt, gt(auditEvent.at, storeTimeBefore(HOUR_MS))))) > 0) return;
    await record(tx, {
      tenant,
      actor: staffId,
      code: "session.address",
      outcome: "REFUSED",
      detail: { address: shown },
    });
  });
  recordedAt.set(key, Date.now());
}
