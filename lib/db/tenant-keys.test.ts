import { sql } from "drizzle-orm";
import { beforeAll, expect, it } from "vitest";
import { z } from "zod";
import { givenEnv, givenStore } from "@/test/support/console";

/** Keys made by the server and unique everywhere: no browser chooses them, and each names its row's tenant. */
const OURS = "random, made by the server";
const LEADING_OTHERWISE: Readonly<Record<string, string>> = {
  account_pkey: OURS,
  bank_call_pkey: "a sequence of the store",
  health_incident_pkey: OURS,
  live_event_pkey: "a sequence of the store",
  onboarding_pkey: OURS,
  onboarding_link_pkey: OURS,
  onboarding_previous: "names an onboarding by its own key",
  onboarding_request_onboarding: "names an onboarding by its own key",
  password_link_pkey: "hash of a random link",
  reveal_pkey: OURS,
  staff_invitation_pkey: OURS,
  staff_invitation_token: "hash of a random link",
  staff_membership_staff_id_tenant_pk: "a person's places, by the person",
  staff_session_pkey: "hash of a random cookie",
};

/** Tables without a tenant. */
const WITHOUT_TENANT: Readonly<Record<string, string>> = {
  bank_budget: "counts calls to a provider's address, whoever's they are",
  data_key_canary: "seals one text for the whole store",
  lease: "its name says whose turn it is",
  sign_in_step: "a person is one at all tenants",
  sign_in_try: "a person is one at all tenants",
  mail_settings: "a person is one at all tenants",
  staff: "a person is one at all tenants",
  staff_address: "a person is one at all tenants",
  staff_identity: "a person is one at all tenants",
  passkey_challenge: "belongs to one session or step of signing in",
  staff_passkey: "a person is one at all tenants",
  staff_recovery_code: "a person is one at all tenants",
  staff_totp: "a person is one at all tenants",
};

const Keys = z.object({
  rows: z.array(
    z.object({ table: z.string(), key: z.string(), leading: z.string().nullable(), ofTenant: z.boolean() }),
  ),
});

let keys: z.output<typeof Keys>["rows"] = [];
beforeAll(async () => {
  givenEnv();
  const db = await givenStore();
  const found = await db.execute(sql`
    select tables.relname as table, keys.relname as key, first.attname as "leading", tenant.attname is not null as "ofTenant"
    from pg_index
    join pg_class tables on tables.oid = indrelid and tables.relnamespace = 'public'::regnamespace
    join pg_class keys on keys.oid = indexrelid
    left join pg_attribute first on first.attrelid = indrelid and first.attnum = indkey[0]
    left join pg_attribute tenant on tenant.attrelid = indrelid and tenant.attname = 'tenant'
    where indisunique order by 1, 2`);
  keys = Keys.parse(found).rows;
});

it("puts the tenant first in every key, or lists the exception", () => {
  const others = keys.filter(({ ofTenant, leading }) => ofTenant && leading !== "tenant").map(({ key }) => key);
  expect(others.toSorted()).toEqual(Object.keys(LEADING_OTHERWISE).toSorted());
});

it("lists every table without a tenant, with the reason", () => {
  const tables = new Set(keys.filter(({ ofTenant }) => !ofTenant).map(({ table }) => table));
  expect([...tables].toSorted()).toEqual(Object.keys(WITHOUT_TENANT).toSorted());
});
