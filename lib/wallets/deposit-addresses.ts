import { and, desc, eq, inArray, isNotNull, or, sql } from "drizzle-orm";
import { type Page, PAGE_SIZE, pageWindow } from "@/lib/text/page";
import type { Actor } from "@/lib/permission/grant";
import { isUuid } from "@/lib/text/decode";
import { wallet, walletRequest } from "@/lib/db/tables/wallets";
import { staff } from "@/lib/db/tables/staff";
import { db } from "@/lib/db/connection";
import { requestsNamed } from "./records";
import { labelsOf } from "./requests";
import { pastedAddress, AddressFilter } from "./inputs";
import type { DepositAddress } from "./view";

export type DepositAddresses = Pick<Page<DepositAddress>, "rows" | "page" | "totalPages" | "total">;

export async function readDepositAddresses(
  { tenant }: Actor<"wallets:read">,
  given: Partial<AddressFilter> = {},
): Promise<DepositAddresses> {
  const { search, page: wanted } = AddressFilter.parse(given);
  const store = await db();
  const isMatch =
    search === undefined
      ? undefined
      : or(
          isUuid(search) ? eq(walletRequest.intentId, search) : undefined,
          inArray(walletRequest.intentId, await requestsNamed(store, tenant, search)),
          sql`strpos(lower(${walletRequest.address}), ${pastedAddress(search).toLowerCase()}) > 0`,
        );
  const isOne = and(
    eq(walletRequest.tenant, tenant),
    eq(walletRequest.kind, "address"),
    isNotNull(walletRequest.address),
    isMatch,
  );
  const total = await store.$count(walletRequest, isOne);
  const { page, totalPages, offset } = pageWindow(wanted, total);
  const found = await store
    .select({ request: walletRequest, byName: staff.name })
    .from(walletRequest)
    .innerJoin(staff, eq(staff.id, walletRequest.staffId))
    .where(isOne)
    .orderBy(desc(walletRequest.createdAt), walletRequest.intentId)
    .limit(PAGE_SIZE)
    .offset(offset);
  const addresses = found.flatMap(({ request: { address } }) => address?.toLowerCase() ?? []);
  const ofAddress = sql<string>`lower(${wallet.address})`;
  const listed =
    addresses.length === 0
      ? []
      : await store
          .select({ id: wallet.id, family: wallet.family, address: ofAddress })
          .from(wallet)
          .where(and(eq(wallet.tenant, tenant), inArray(ofAddress, addresses)));
  const rows = found.map(({ request, byName }): DepositAddress => {
    const { intentId, family, createdAt } = request;
    const address = request.address ?? "";
    const isIt = (one: (typeof listed)[number]) => one.family === family && one.address === address.toLowerCase();
    const walletId = request.walletId ?? listed.find(isIt)?.id ?? null;
    return { ...labelsOf(request), intentId, family, address, walletId, byName, at: createdAt.toISOString() };
  });
  return { rows, page, totalPages, total };
}
