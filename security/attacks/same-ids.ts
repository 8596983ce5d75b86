// One id at two tenants: what the browser names at one must stay as it is when it is named at the other.
import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { dump } from "@/e2e/support/database-dump";
import { BRISK } from "@/e2e/support/pace";
import { MAKING } from "@/test/registries/inputs";
import { completeCpf } from "@/lib/contract/document";
import { freePort } from "@/scripts/checks/temporary-product.mjs";
import { type Browser, isDone } from "./people";
import { type Outcome, type Product, startSeated, tenantsFile } from "./signed-in";

const NOT_ASKED = {
  "outcomes.endOutcome": "ends a write whose answer was lost, once an hour has gone by; in process it is asked",
};

const TENANTS = ["aurora", "boreal"] as const;
type Tenant = (typeof TENANTS)[number];

/** A product of two tenants whose provider does nothing before its clock is put forward. */
export async function startTwice() {
  const env = {
    PORT: String(await freePort()),
    SERVICE_TENANTS_FILE: tenantsFile(),
    SERVICE_PROVIDER_DELAY_MS: "60000",
    ...BRISK,
  };
  const tenants = TENANTS.flatMap((tenant) => [tenant, tenant]);
  return startSeated(env, tenants);
}
type Twice = Awaited<ReturnType<typeof startTwice>>;

async function steer({ serviceUrl, controlToken }: Product, path: string, body: object): Promise<void> {
  const headers = { authorization: `Bearer ${controlToken}`, "content-type": "application/json" };
  const { ok } = await fetch(`${serviceUrl}/sandbox/${path}`, { method: "POST", headers, body: JSON.stringify(body) });
  if (!ok) throw new Error(`the provider was not steered by ${path}`);
}

const staffIdOf = ({ scope }: Browser) => scope.split(":")[0] ?? "";
const told = (answer: string, field: string) => new RegExp(`"${field}":"([^"]+)"`).exec(answer)?.[1] ?? "";

/** Asks until the answer holds the field, for what a watch must have read first. */
async function until(field: string, ask: () => Promise<string>): Promise<string> {
  let answer = "";
  for (let tries = 0; tries < 60; tries += 1) {
    answer = await ask();
    const found = told(answer, field);
    if (found !== "") return found;
    await pause(500);
  }
  throw new Error(`no answer held ${field}: ${answer.slice(-300)}`);
}

const PERSON = { name: "Maria Aparecida dos Santos", birthDate: "07/09/1984", motherName: "Josefa dos Santos" };
const start = (intentId: string, vatNumber: string) => ({
  type: "PF",
  intentId,
  seen: [],
  backgroundcheckModel: "COMPLETE",
  documentscopyFlag: false,
  vatNumber,
  ...PERSON,
});

const account = (intentId: string, documentNumber: string) => ({
  type: "PF",
  intentId,
  seen: [],
  from: null,
  email: "ana@example.com",
  transactionPassword: "canario-9471",
  passwordAgain: "canario-9471",
  person: {
    fullName: "Ana Beatriz Souza",
    documentNumber,
    phoneNumber: "(11) 99999-0000",
    email: "",
    motherName: "Maria Souza",
    birthDate: "07/05/1990",
    isPoliticallyExposedPerson: "no",
    address: {
      postalCode: "01310-100",
      street: "Avenida Paulista",
      number: "1000",
      complement: "",
      neighborhood: "Bela Vista",
      city: "São Paulo",
      state: "sp",
      longitude: "",
      latitude: "",
    },
  },
  bankDocuments: {
    documentLink: "https://files.example/front.jpg",
    documentBackLink: "https://files.example/back.jpg",
    selfieLink: "https://selfies.example/1.jpg",
  },
});

const [CHECKED, WAITING, HOLDER, OTHER_HOLDER] = [410_900_101, 410_900_102, 430_900_101, 430_900_102].map((number) =>
  completeCpf(String(number)),
);
const STARTED = { status: "PROCESSING", process: "kyc-backgroundcheck" };

type Ids = Readonly<Record<string, string>>;
type Seats = { first: Browser; second: Browser };

function seatsOf([first, second]: readonly Browser[]): Seats {
  if (first === undefined || second === undefined) throw new Error("two people sit at each tenant");
  return { first, second };
}

/** Everything that the browser names, made at one tenant by these ids; the same input at each, but for what the provider names. */
async function workAt(product: Product, { first, second }: Seats, ids: Ids): Promise<void> {
  const id = (name: string) => ids[name] ?? "";
  const ask = async (name: string, input: unknown, by = first) => {
    const answer = await by.act(name, input);
    if (!isDone(answer)) throw new Error(`${name} was refused: ${answer.slice(-300)}`);
    return answer;
  };
  const make = (name: string, input: (id: string) => object) => ask(name, input(id(name)));

  const kycUUID = told(await make("kyc.startCase", (intentId) => start(intentId, CHECKED ?? "")), "kycUUID");
  const bulk = { selection: { ids: [kycUUID] }, slice: null };
  await make("kyc.addCaseNote", (noteId) => ({ id: kycUUID, noteId, text: "Pediu o contrato por telefone" }));
  await make("kyc.assignCases", (bulkId) => ({ ...bulk, bulkId, to: staffIdOf(first) }));
  await make("kyc.tagCases", (bulkId) => ({ ...bulk, bulkId, tag: "pep", isRemoved: false }));
  await make("kyc.decideCase", (intentId) => ({
    intentId,
    kycUUID,
    decision: "APPROVED",
    reasonCode: "data-matches",
    note: null,
    rulesVersion: 0,
    reason: "Dados cadastrais conferem com as fontes consultadas.",
    expected: STARTED,
    checklist: ["data-match", "lists-checked"],
  }));
  const waiting = told(await ask("kyc.startCase", start(randomUUID(), WAITING ?? "")), "kycUUID");
  await steer(product, `kyc/${waiting}`, { status: "PENDING", process: "kyc-backgroundcheck" });
  // An attempt is answered alike whenever it is made again: it must not come before there is a case to take.
  await until("kycUUID", async () => (await first.ask("/api/kyc?status=PENDING")).text);
  await until("kycUUID", () => make("kyc.takeNextCase", (attemptId) => ({ attemptId })));

  const openAccount = async (intentId: string, document: string) => {
    const record = told(await ask("onboarding.createAccount", account(intentId, document)), "id");
    await steer(product, "clock", { advanceSeconds: 60 });
    return { record, ref: await until("accountRef", () => first.act("accounts.lookUpAccount", { query: document })) };
  };
  const { record, ref } = await openAccount(id("onboarding.createAccount"), HOLDER ?? "");
  await make("onboarding.followOnboarding", (intentId) => ({ intentId, query: HOLDER }));
  await make("onboarding.addOnboardingNote", (noteId) => ({ id: record, noteId, text: "Titular avisado" }));
  await make("accounts.addAccountNote", (noteId) => ({ id: ref, noteId, text: "Atendido por telefone" }));
  const closing = { userId: "user-1", reason: "A pedido do titular" };
  const proposed = await make("accounts.proposeAccountClosure", (intentId) => ({ ...closing, intentId, ref }));
  const approvalId = told(proposed, "approvalId");
  await make("approvals.commentOnApproval", (commentId) => ({ approvalId, commentId, text: "Segue o contrato" }));

  const policy = { kind: "account.close", version: 0, rule: "never", amount: null, expiresAfterHours: 24 };
  const looser = await make("approvals.setApprovalPolicy", (intentId) => ({ ...policy, intentId }));
  await ask("staff.authoriseAccess", { approvalId: told(looser, "approvalId") }, second);
  const { ref: closed } = await openAccount(randomUUID(), OTHER_HOLDER ?? "");
  const payment = { kind: "INTERNAL", from: ref, to: closed, userId: "user-1", amount: "5.000,00", description: "" };
  await make("transfers.orderTransfer", (intentId) => ({ ...payment, intentId, seen: [] }));
  const proof = { userAccessToken: "the holder's token", code: "918273" };
  await make("accounts.closeAccountNow", (intentId) => ({ ...closing, ...proof, intentId, ref: closed }));
  const view = { area: "kyc", name: "Urgentes", search: "view=due", isDefault: false };
  await make("preferences.saveView", (viewId) => ({ ...view, id: viewId }));
}

/** Each tenant's rows that name one of the ids, each with its table; those of what runs by itself are no records. */
async function rowsNaming(ids: Ids, kept: string): Promise<Record<Tenant, string[]>> {
  const rows: Record<Tenant, string[]> = { aurora: [], boreal: [] };
  for await (const { table, row } of dump(kept)) {
    const isRecord = !/\.(live_event|watch_state|bank_call)$/.test(table);
    const tenant = TENANTS.find((name) => row.includes(`"tenant": "${name}"`));
    if (isRecord && tenant !== undefined && Object.values(ids).some((id) => row.includes(id)))
      rows[tenant].push(`${table} ${row}`);
  }
  return { aurora: rows.aurora.toSorted(), boreal: rows.boreal.toSorted() };
}

/** How many rows of each table name each action's id. */
const shapeOf = (rows: readonly string[], ids: Ids) =>
  Object.entries(ids).flatMap(([name, id]) => {
    const tables = rows.filter((row) => row.includes(id)).map((row) => row.split(" ", 1)[0]);
    return tables.length === 0 ? [`${name} nowhere`] : [`${name} ${tables.join(", ")}`];
  });

/** The same ids in every write that makes something, at one tenant and then at the other, and a start on what came of it. */
export async function useIdsTwice(product: Twice): Promise<Outcome> {
  const asked = MAKING.filter((name) => !(name in NOT_ASKED));
  const ids: Ids = Object.fromEntries(asked.map((name) => [name, randomUUID()]));
  const [here, there] = [seatsOf(product.colleagues.slice(0, 2)), seatsOf(product.colleagues.slice(2))];
  await workAt(product, here, ids);
  await product.halt();
  const { aurora: before } = await rowsNaming(ids, product.kept);

  const second = await product.again();
  try {
    await workAt(second, there, ids);
  } finally {
    await second.stop();
  }
  const { aurora: after, boreal: others } = await rowsNaming(ids, product.kept);

  const third = await product.again();
  const { status } = await here.first.ask("/api/health");
  const areIn = await Promise.all([here, there].map(async ({ first }) => (await first.ask("/kyc")).status === 200));
  await third.stop();
  const last = await rowsNaming(ids, product.kept);
  const stands = last.aurora.join("\n") === before.join("\n") && last.boreal.join("\n") === others.join("\n");

  const changed = before.filter((row) => !after.includes(row)).length + Math.max(after.length - before.length, 0);
  const [mine, theirs] = [shapeOf(before, ids), shapeOf(others, ids)];
  const unlike = mine.filter((shape, place) => shape !== theirs[place] || shape.endsWith("nowhere"));
  return {
    came: `${asked.length} ids at both, ${before.length} and ${others.length} records name them, ${changed} changed${unlike.length > 0 ? `, not alike: ${unlike.join("; ")}` : ""}; started again ${status}, the records ${stands ? "stand" : "do NOT stand"}`,
    isRepelled:
      changed === 0 && unlike.length === 0 && before.length > 0 && status === 200 && areIn.every(Boolean) && stands,
  };
}
