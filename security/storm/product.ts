import type { ApprovalKindName, PolicyRule } from "@/lib/permission/writes";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Pool } from "pg";
import { scopeIdOf } from "@/lib/auth/view";
import { openStore, type Store } from "@/lib/db/connection";
import { approvalPolicy } from "@/lib/db/tables/approvals";
import { wallet } from "@/lib/db/tables/wallets";
import { WEBHOOK_EVENTS } from "@/lib/contract/webhook-events";
import { seat } from "@/e2e/support/access-callers";
import { BRISK } from "@/e2e/support/pace";
import { placeFor } from "@/e2e/support/product";
import { createProvider, type Provider } from "@/e2e/support/provider";
import { tenantsFile } from "@/e2e/support/tenants-file";
import { build, buildFolder, buildIsStale } from "@/scripts/setup/build.mjs";
import { readBuild } from "@/scripts/checks/check-access";
import { freePort, startTemporaryProduct } from "@/test/support/temporary-product.mjs";
import type { Person } from "./wire";

/** Each at its own tenant, so that no change of policy comes between two writes. */
export const POLICIES = ["never", "above", "always"] as const;
export type Policy = (typeof POLICIES)[number];

export const DATABASES = ["postgres", "embedded"] as const;
export type Database = (typeof DATABASES)[number];

const SECRET = randomBytes(32).toString("base64url");
const WEBHOOK_SECRET = randomBytes(32).toString("hex");
const CLIENT_SECRET = randomBytes(24).toString("base64url");
const EACH = 3;

/** One tenant: who orders, who decides, who only watches, and the provider that knows the truth. */
export type Desk = {
  policy: Policy;
  url: string;
  makers: Person[];
  approvers: Person[];
  bystander: Person;
  provider: Provider;
  webhook: { clientId: string; secret: string };
};

const ABOVE = ["transfer.internal", "transfer.external"] as const satisfies ApprovalKindName[];
const SENT: readonly ApprovalKindName[] = [...ABOVE, "crypto.transfer", "account.close", "kyc.decision"];
const RULES: Record<
  Policy,
  readonly { kinds: readonly ApprovalKindName[]; rule: PolicyRule; amount: string | null }[]
> = {
  never: [{ kinds: SENT, rule: "never", amount: null }],
  above: [{ kinds: ABOVE, rule: "above", amount: "500.00" }],
  always: [{ kinds: SENT, rule: "always", amount: null }],
};

/** The wallets in a label file: known only to the console, on no network whose balances it would read meanwhile. */
export const labelled = (place: number): string => `storm-${place}`;
/** Every tenth wallet is an EVM one, whose deposit address finance can import. */
export const ADDRESSED_IN = 10;

async function furnish({ db }: Store, staffId: string, wallets: number): Promise<void> {
  const now = new Date();
  for (const policy of POLICIES) {
    const rows = RULES[policy].flatMap(({ kinds, ...rule }) => kinds.map((kind) => ({ kind, ...rule })));
    const since = { tenant: policy, version: 1, expiresAfterHours: 24, staffId, createdAt: now };
    await db.insert(approvalPolicy).values(rows.map((row) => ({ ...since, ...row })));
  }
  const coin = { tenant: POLICIES[0], coin: "ETH", status: "ACTIVE", isForwardPayment: false };
  const made = Array.from({ length: wallets }, (_, place) => {
    const address = `0x${String(place).padStart(40, "0")}`;
    const family = place % ADDRESSED_IN === 0 ? "EVM" : "NONE";
    return { ...coin, family, id: labelled(place), address, createdAt: now, seenAt: now };
  });
  for (let from = 0; from < wallets; from += 1_000) await db.insert(wallet).values(made.slice(from, from + 1_000));
}

/** Everybody holds every role: permissions are tested elsewhere. */
async function cast(place: { databaseUrl: string | null; dataDir: string }, wallets: number) {
  const names = POLICIES.flatMap((policy) =>
    Array.from({ length: 2 * EACH + 1 }, (_, nth) => ({ tenant: policy, name: `${policy} ${nth}` })),
  );
  const seated = await seat(
    place,
    SECRET,
    names.map((given) => ({ ...given, standing: "here" as const })),
  );
  const [first] = seated;
  if (first === undefined) throw new Error("nobody was seated");
  const store = await openStore(place);
  await furnish(store, first.staffId, wallets);
  await store.close();
  return seated.map(({ name, cookie, staffId }, nth): Person & { policy: Policy } => {
    const policy = POLICIES[Math.floor(nth / (2 * EACH + 1))] ?? "never";
    return { name, cookie, scope: scopeIdOf({ staffId, tenant: policy }), policy };
  });
}

/** Everything that left, by the embedded service's table; held amounts have left their wallet or account. */
const LEFT: Readonly<Record<string, string>> = {
  "coins on chain":
    "chain_entry e join wallet w on w.id = e.wallet_id where e.subtype = 'outgoing' and w.client_id = $1",
  "transfers in the ledger": `ledger_movement m where m.type in ('INTERNAL', 'TED') and exists (
    select from ledger_entry e join ledger_account a on a.id = e.account_id join bank_account b on b.id = a.holder
    where e.movement_id = m.id and b.client_id = $1)`,
  "held or blocked": "antifraud_case where status in ('HELD', 'BLOCKED') and client_id = $1",
  "KYC decisions": "kyc_decision d join kyc_process p on p.kyc_uuid = d.kyc_uuid where p.client_id = $1",
  "closed accounts": "bank_account where status = 'CLOSED' and client_id = $1",
  "KYC cases": "kyc_process where client_id = $1",
  onboardings: "onboarding where client_id = $1",
  wallets: "wallet where client_id = $1",
};

export type Books = ReadonlyMap<string, number>;

/** The service's own books, read from its store. */
function openBooks(connectionString: string) {
  const pool = new Pool({ connectionString, max: POLICIES.length });
  const counts = Object.entries(LEFT).map(([name, from]) => `(select count(*)::int from ${from}) as "${name}"`);
  const count = async (clientId: string): Promise<Books> => {
    const { rows } = await pool.query<Record<string, number>>(`select ${counts.join(", ")}`, [clientId]);
    return new Map(Object.entries(rows[0] ?? {}));
  };
  return { count, close: () => pool.end() };
}

const address = (settings: Record<string, string>, name: string): string => {
  const value = settings[name];
  if (value === undefined) throw new Error(`${name} is not set: there is no server to count on`);
  return value;
};

/**
 * The built product with its own tenants for each policy, which can start repeatedly on its data. The service always
 * uses the server, where its books can be counted from outside; `database` is the console's own.
 */
export async function prepareStormProduct(database: Database, { wallets }: { wallets: number }) {
  const dataDir = mkdtempSync(join(tmpdir(), "retaguarda-storm-"));
  const port = String(await freePort());
  const hookedAt = (policy: Policy) => `http://localhost:${port}/api/hooks/${policy}`;
  const tenants = tenantsFile(
    ...POLICIES.map((policy) => ({
      clientId: policy,
      clientSecret: CLIENT_SECRET,
      name: policy,
      webhook: { url: hookedAt(policy), secret: WEBHOOK_SECRET, events: [...WEBHOOK_EVENTS] },
    })),
  );
  const place = await placeFor({
    AUTH_SECRET: SECRET,
    SERVICE_TENANTS_FILE: tenants,
    SERVICE_DEMO_DATA: "false",
    SERVICE_PROVIDER_DELAY_MS: "manual",
  });
  const { DATABASE_URL: onServer, ...without } = place.settings;
  const isEmbedded = database === "embedded";
  const settings = isEmbedded || onServer === undefined ? without : { ...without, DATABASE_URL: onServer };
  const databaseUrl = isEmbedded ? null : address(place.settings, "DATABASE_URL");
  const people = await cast({ databaseUrl, dataDir }, wallets);
  const booksUrl = address(place.settings, "SERVICE_DATABASE_URL");
  // The product would build later, and its actions would have other ids.
  if (buildIsStale()) await build();
  const { offers } = readBuild(buildFolder());

  async function start(more: Readonly<Record<string, string>> = {}) {
    const given = { ...BRISK, WATCH_INTERVAL_SECONDS: "3", ...settings, ...more };
    const product = await startTemporaryProduct({ ...given, DATA_DIR: dataDir, PORT: port });
    const { url, serviceUrl, controlToken } = product;
    const desks = POLICIES.map((policy): Desk => {
      const here = people.filter((person) => person.policy === policy);
      const [bystander, ...others] = here;
      if (bystander === undefined) throw new Error(`nobody is at ${policy}`);
      return {
        policy,
        url,
        makers: others.slice(0, EACH),
        approvers: others.slice(EACH),
        bystander,
        provider: createProvider({ serviceUrl, controlToken, clientId: policy, clientSecret: CLIENT_SECRET }),
        webhook: { clientId: policy, secret: WEBHOOK_SECRET },
      };
    });
    return { url, desks, stop: product.stop };
  }

  const drop = async () => {
    await place.drop();
    for (const folder of [dataDir, dirname(tenants)]) rmSync(folder, { recursive: true, force: true });
  };
  return { dataDir, databaseUrl, booksUrl, offers, start, drop };
}

export async function startStormProduct(database: Database, given: { wallets: number }) {
  const { booksUrl, offers, start, drop } = await prepareStormProduct(database, given);
  const { desks, ...product } = await start();
  const books = openBooks(booksUrl);
  const stop = async () => {
    await books.close();
    await product.stop();
    await drop();
  };
  return { desks, books, offers, stop };
}
