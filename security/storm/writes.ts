import { setTimeout as pause } from "node:timers/promises";
import { z } from "zod";
import { completeCpf } from "@/lib/contract/document";
import { inventCpf } from "@/e2e/support/invent";
import { WRITES } from "@/test/registries/inputs";
import type { Offer } from "@/scripts/checks/check-access";
import { ADDRESSED_IN, type Desk, labelled, type Policy } from "./product";
import type { Blow, Outcome } from "./stir";
import { act, type Answer, deliver, newId, type Person, read, upload } from "./wire";

/** How often, under how many ids and by how many people. */
export type Form = { oneId: boolean; people: 1 | 3 };

const saysForm = ({ oneId, people }: Form) =>
  `${oneId ? "one id" : "an id each"}, ${people === 1 ? "one person" : "three people"}`;

export type Stirring = {
  desk: Desk;
  /** Concurrent requests; `restTimes` for writes that send nothing. */
  times: number;
  restTimes: number;
  /** For writes that send; `fewForms` for the rest. */
  forms: readonly Form[];
  fewForms: readonly Form[];
  /** Rows of a file. */
  rows: number;
  isLong: boolean;
  offers: ReadonlyMap<string, Offer>;
  stir: (blow: Blow) => Promise<Outcome>;
  /** The actions sent so far. */
  sent: Set<string>;
};

type Sending = {
  write: string;
  says?: string;
  form: Form;
  by?: readonly Person[];
  input: (id: string, place: number) => unknown;
  most: number;
  least?: number;
  times?: number;
  policy?: Policy | null;
};

/** A URL whose dynamic segments match no record. */
const nowhere = (address: string) => address.replaceAll(/\[[^\]]+\]/g, "nothing-at-all");

export function offerOf(offers: Stirring["offers"], write: string): { id: string; path: string } {
  const offer = offers.get(write);
  if (offer === undefined) throw new Error(`${write} is not in the build`);
  return { id: offer.id, path: nowhere(offer.pages[0] ?? "/") };
}

export const byTurns = (people: readonly Person[], count: number, place: number): Person => {
  const person = people[place % count];
  if (person === undefined) throw new Error("there are too few people");
  return person;
};

/** Sends an action that many times at once. */
async function send(stirring: Stirring, sending: Sending): Promise<Outcome> {
  const { desk, offers, stir, sent } = stirring;
  const { write, form, input, by = desk.makers, most, least = 1, times = stirring.times } = sending;
  sent.add(write);
  const offer = offerOf(offers, write);
  const shared = newId();
  const asked = Array.from({ length: times }, (_, place) => {
    const id = form.oneId ? shared : newId();
    const person = byTurns(by, form.people, place);
    const given = input(id, place);
    return () => act(desk.url, person, { ...offer, input: given });
  });
  const says = [`${times} at once`, sending.says, saysForm(form)].filter(Boolean).join(", ");
  const policy = sending.policy === undefined ? desk.policy : sending.policy;
  return stir({ write, policy, says, asked, most, least });
}

/** The registry's input, about this record. */
function about(write: string, ids: { uuid?: string; text?: string }): Record<string, unknown> {
  const entry = WRITES[write];
  if (entry === undefined || !("about" in entry)) throw new Error(`${write} has no input about a record`);
  return z.record(z.string(), z.unknown()).parse(entry.about({ uuid: newId(), text: "", ...ids }));
}

const ONE_ID: Form = { oneId: true, people: 1 };
const EACH_ID: Form = { oneId: false, people: 3 };

/** Has everybody who may authorise pending requests do so, as often at once. */
async function authorise(stirring: Stirring, proposals: readonly string[]): Promise<void> {
  if (proposals.length === 0) return;
  await send(stirring, {
    write: "writes.authoriseApproval",
    says: proposals.length === 1 ? "one proposal" : `${proposals.length} like proposals`,
    form: { oneId: true, people: 3 },
    by: stirring.desk.approvers,
    input: (_, place) => ({ approvalId: proposals[place % proposals.length] }),
    most: 1,
  });
}

let named = 0;
/** Gives each write of a run another number, so that only intended ones are similar. */
const next = (): string => {
  named += 1;
  return String(named).padStart(4, "0");
};

/** At least that many reais, as people write them. */
function nextReais(least: number): string {
  const cents = least * 100 + Number(next());
  return `${Math.floor(cents / 100)},${String(cents % 100).padStart(2, "0")}`;
}

async function until<T>(what: string, find: () => Promise<T | null>): Promise<T> {
  const giveUpAtMs = performance.now() + 60_000;
  for (;;) {
    const found = await find();
    if (found !== null) return found;
    if (performance.now() > giveUpAtMs) throw new Error(`${what} did not come`);
    await pause(250);
  }
}

/** The provider's record, once the console has seen it. */
export const seen = (desk: Desk, path: string, text: string) =>
  until(`${text} at ${path}`, async () => {
    const { data } = await read(desk.url, desk.bystander, path);
    return typeof data === "string" && data.includes(text) ? data : null;
  });

const COIN = { network: "ETHEREUM", amount: "5000" } as const;

async function givenWallet(desk: Desk): Promise<string> {
  const { walletId, address } = await desk.provider.createWallet("EVM");
  await desk.provider.deposit({ ...COIN, address });
  await seen(desk, "/api/wallets?network=EVM", walletId);
  return walletId;
}

const AccountRef = z.object({ accountRef: z.string() });

/** An account known to the console, with that balance. */
async function givenAccount({ desk, offers }: Stirring, reais: string | null): Promise<string> {
  const opened = await desk.provider.openAccount(inventCpf().digits);
  if (reais !== null) await desk.provider.credit(opened, { amount: reais });
  const offer = offerOf(offers, "accounts.lookUpAccount");
  const answer = await act(desk.url, byTurns(desk.makers, 1, 0), { ...offer, input: { query: opened.onBoardingId } });
  return AccountRef.parse(answer.data).accountRef;
}

type Coins = { walletId: string; amount: string };
export const coins = ({ walletId, amount }: Coins) => {
  const { intentId: _intent, ...form } = about("wallets.sendCoins", { text: walletId });
  return { ...form, amount };
};

/** Every way in which a like order of coins could leave a second time. */
async function sendCoins(stirring: Stirring): Promise<void> {
  const { desk, forms, isLong } = stirring;
  const walletId = await givenWallet(desk);
  const write = "wallets.sendCoins";
  for (const form of forms) {
    const order = coins({ walletId, amount: `0,5${next()}` });
    const done = await send(stirring, { write, form, input: (intentId) => ({ ...order, intentId }), most: 1 });
    await authorise(stirring, done.proposals);
    if (form !== forms.at(-1)) continue;
    const like = { write, form: EACH_ID, input: (intentId: string) => ({ ...order, intentId }) };
    await send(stirring, { ...like, says: "like one that is done", most: 0, least: 0 });
  }
  if (desk.policy !== "never" && !isLong) return;
  const held = coins({ walletId, amount: `12,50${next()}` });
  const order = { write, form: EACH_ID, input: (intentId: string) => ({ ...held, intentId }) };
  const done = await send(stirring, { ...order, says: "held by antifraud", most: 1 });
  await authorise(stirring, done.proposals);
  await send(stirring, { ...order, says: "like one that is held", most: 0, least: 0 });
}

/** A like one that the person says they saw, and one whose outcome nobody knows. */
async function sendCoinsAgain(stirring: Stirring): Promise<void> {
  const { desk } = stirring;
  const walletId = await givenWallet(desk);
  const write = "wallets.sendCoins";
  const first = newId();
  const again = coins({ walletId, amount: `0,6${next()}` });
  const one = { write, form: ONE_ID, times: 1 } as const;
  await send(stirring, { ...one, says: "the first of two", input: () => ({ ...again, intentId: first }), most: 1 });
  const repeated = (intentId: string) => ({ ...again, intentId, seen: [first] });
  await send(stirring, { write, form: EACH_ID, says: "that was seen", input: repeated, most: 1 });

  const lost = coins({ walletId, amount: `0,7${next()}` });
  const lostId = newId();
  await desk.provider.fail({ method: "POST", path: "/v1/crypto/transfer", times: 1, drop: true });
  const dropped = { ...one, says: "whose answer is lost", input: () => ({ ...lost, intentId: lostId }) };
  await send(stirring, { ...dropped, most: 1, least: 0 });
  const like = { write, form: EACH_ID, input: (intentId: string) => ({ ...lost, intentId }) };
  await send(stirring, { ...like, says: "like one that nobody knows of", most: 0, least: 0 });

  const ending = { ...about("outcomes.endOutcome", { uuid: lostId }), endedId: lostId };
  const end = {
    write: "outcomes.endOutcome",
    form: EACH_ID,
    input: (intentId: string) => ({ ...ending, intentId }),
  };
  const ended = await send(stirring, { ...end, most: 1 });
  await authorise(stirring, ended.proposals);
}

const TED_PAYEE = {
  institutionIspb: "60701190",
  institutionCode: "341",
  branchCode: "0123",
  accountCode: "98765-4",
  bankAccountType: "CACC",
  document: completeCpf("390533447"),
  name: "João Lima",
};

async function sendReais(stirring: Stirring): Promise<void> {
  const { desk, fewForms } = stirring;
  const from = await givenAccount(stirring, "900000.00");
  const to = await givenAccount(stirring, null);
  const write = "transfers.orderTransfer";
  const internal = { kind: "INTERNAL", from, to, userId: "user-1", description: "" };
  const ted = { kind: "EXTERNAL", from, userId: "user-1", ...TED_PAYEE };
  const sums = desk.policy === "above" ? [10, 700] : [10];
  for (const [says, order] of Object.entries({ "between accounts": internal, TED: ted })) {
    for (const least of sums) {
      for (const form of fewForms) {
        const amount = nextReais(least);
        const input = (intentId: string) => ({ ...order, amount, intentId, seen: [] });
        const done = await send(stirring, { write, says: `${says}, R$ ${amount}`, form, input, most: 1 });
        await authorise(stirring, done.proposals);
      }
    }
  }
}

const PROOF = { userAccessToken: "the holder's token", code: "918273" };

async function closeAccounts(stirring: Stirring): Promise<void> {
  const { desk, fewForms } = stirring;
  for (const form of fewForms) {
    const ref = await givenAccount(stirring, null);
    const closing = about("accounts.proposeAccountClosure", { uuid: ref });
    const input = (intentId: string) => ({ ...closing, intentId });
    if (desk.policy === "never") {
      const now = (intentId: string) => ({ ...input(intentId), ...PROOF });
      await send(stirring, { write: "accounts.closeAccountNow", form, input: now, most: 1 });
      continue;
    }
    const proposed = await send(stirring, { write: "accounts.proposeAccountClosure", form, input, most: 1 });
    await authorise(stirring, proposed.proposals);
    const [approvalId] = proposed.proposals;
    const carry = { write: "accounts.carryOutAccountClosure", form, input: () => ({ approvalId, ...PROOF }) };
    await send(stirring, { ...carry, most: 1, least: 0 });
  }
}

const OF_WALLETS = Object.entries(WRITES).flatMap(([name, write]) =>
  "about" in write && write.of === "wallet" ? [name] : [],
);

/** What is written of a wallet, and has no part of its own here. */
async function writeOfWallets(stirring: Stirring): Promise<void> {
  for (const write of OF_WALLETS) {
    for (const form of stirring.fewForms) {
      const order = about(write, { text: await givenWallet(stirring.desk) });
      const input = (intentId: string) => ({ ...order, ...("intentId" in order && { intentId }) });
      const done = await send(stirring, { write, form, input, most: 1 });
      await authorise(stirring, done.proposals);
    }
  }
}

const PROCESS = "kyc-documentscopy";
const Cases = z.object({ rows: z.array(z.object({ kycUUID: z.string(), process: z.string() })) });

/** A pending case, claimed by whoever decides it. */
async function givenCase({ desk, offers }: Stirring): Promise<string> {
  const kycUUID = await desk.provider.openCase(inventCpf().digits);
  await desk.provider.steerCase(kycUUID, "PENDING", PROCESS);
  await until(`${kycUUID} in its process`, async () => {
    const { ok, data } = await read(desk.url, desk.bystander, "/api/kyc?status=open&sort=arrival&order=desc");
    const { rows } = ok ? Cases.parse(JSON.parse(String(data))) : { rows: [] };
    return rows.some((row) => row.kycUUID === kycUUID && row.process === PROCESS) ? true : null;
  });
  const claim = { ...offerOf(offers, "kyc.claimCase"), input: { kycUUID, takeFrom: null } };
  await act(desk.url, byTurns(desk.makers, 1, 0), claim);
  return kycUUID;
}

async function decideCases(stirring: Stirring): Promise<void> {
  for (const form of stirring.fewForms) {
    const decision = about("kyc.decideCase", { text: await givenCase(stirring) });
    const input = (intentId: string) => ({ ...decision, intentId });
    // A person who may not decide it can be the first to use its id.
    const least = form.oneId && form.people > 1 ? 0 : 1;
    const done = await send(stirring, { write: "kyc.decideCase", form, input, most: 1, least });
    await authorise(stirring, done.proposals);
  }
}

const STREET = {
  postalCode: "01310-100",
  street: "Avenida Paulista",
  number: "1000",
  complement: "",
  neighborhood: "Bela Vista",
  city: "São Paulo",
  state: "SP",
};
const PICTURES = {
  documentLink: "https://files.example/front.jpg",
  documentBackLink: "https://files.example/back.jpg",
  selfieLink: "https://files.example/selfie.jpg",
};

/** The form for a new account. */
export const accountForm = () => ({
  type: "PF",
  email: "ana@example.com",
  person: {
    fullName: "Ana Beatriz Souza",
    documentNumber: inventCpf().digits,
    phoneNumber: "(11) 99999-0000",
    email: "",
    motherName: "Maria Souza",
    birthDate: "07/05/1990",
    isPoliticallyExposedPerson: "no",
    address: { ...STREET, longitude: "-46,65", latitude: "" },
  },
  bankDocuments: PICTURES,
});

export const startForm = () => ({
  type: "PF",
  backgroundcheckModel: "BASIC",
  documentscopyFlag: false,
  vatNumber: inventCpf().digits,
  name: "Maria Aparecida dos Santos",
  birthDate: "07/09/1984",
  motherName: "Josefa dos Santos",
});

const walletForm = (intentId: string) => ({ intentId, family: "EVM", isForward: false, customer: "" });

/** What no policy holds back: accounts, cases, wallets and addresses. */
async function makeNew(stirring: Stirring): Promise<void> {
  const { fewForms, times } = stirring;
  const plain = { policy: null };
  for (const form of fewForms) {
    const password = { transactionPassword: "canario-9471", passwordAgain: "canario-9471" };
    const account = { ...accountForm(), from: null, seen: [], ...password };
    const asked = (intentId: string) => ({ ...account, intentId });
    await send(stirring, { ...plain, write: "onboarding.createAccount", form, input: asked, most: 1 });
    const start = { ...startForm(), seen: [] };
    const begun = (intentId: string) => ({ ...start, intentId });
    await send(stirring, { ...plain, write: "kyc.startCase", form, input: begun, most: 1 });
    const each = form.oneId ? 1 : times;
    await send(stirring, { ...plain, write: "wallets.createWallet", form, input: walletForm, most: each });
    const reference = `order-${next()}`;
    const addressed = (intentId: string) => ({ intentId, family: "EVM", reference, customer: "" });
    await send(stirring, { ...plain, write: "wallets.createDepositAddress", form, input: addressed, most: 1 });
  }
}

/** Twenty are usual within an hour; the next one asks for a proof. */
const USUAL_REVEALS = 20;
/** It waits for a second person, one at a time for each requester. */
export const ASKS_FOR_MORE = "privacy.askToRevealMore";

const askingForMore = (intentId: string) => ({ intentId, note: "Conferir os cadastros de hoje" });

export async function reveal(stirring: Stirring): Promise<void> {
  const id = await givenAccount(stirring, null);
  const write = "accounts.revealDocument";
  const input = () => about(write, { uuid: id });
  const common = { write, input, policy: null, most: 0, form: ONE_ID };
  await send(stirring, { ...common, says: "the first of an hour", times: USUAL_REVEALS });
  await send(stirring, { ...common, says: "beyond the usual", times: Math.max(12, stirring.times) });
  await send(stirring, {
    ...common,
    says: "by all",
    form: { oneId: true, people: 3 },
    times: Math.max(21, stirring.times),
  });
  await send(stirring, {
    write: ASKS_FOR_MORE,
    input: askingForMore,
    policy: null,
    form: EACH_ID,
    most: EACH_ID.people,
  });
}

/** Everything that is taken out, all of it at once. */
async function exportAll(stirring: Stirring): Promise<void> {
  const { desk, restTimes, stir } = stirring;
  const ref = await givenAccount(stirring, "1000.00");
  const paths = [
    ...["csv", "ofx", "pdf"].map((format) => `/api/accounts/${ref}/statement?format=${format}`),
    `/api/accounts/${ref}/letter`,
    "/api/exports/accounts",
    "/api/exports/audit?format=csv",
    "/api/exports/kyc",
    "/api/exports/position",
    "/api/exports/transfers",
    "/api/exports/wallets",
    `/api/privacy/access-log?kind=account&id=${ref}`,
  ];
  const asked = paths.flatMap((path) =>
    Array.from({ length: restTimes }, (_, place) => () => read(desk.url, byTurns(desk.makers, 3, place), path)),
  );
  const says = `${restTimes} of each at once, three people`;
  await stir({ write: `${paths.length} exports`, policy: null, says, asked, most: 0, least: asked.length });
}

/** Files of a case, deliveries of one event, files of movements, saved views. */
async function takeIn(stirring: Stirring): Promise<void> {
  const { desk, times, stir, fewForms, isLong } = stirring;
  const kycUUID = await givenCase(stirring);
  const ref = await givenAccount(stirring, null);
  const order = about("movements.startMovements", {});
  for (const form of fewForms) {
    const shared = newId();
    const idOf = () => (form.oneId ? shared : newId());
    const by = (place: number) => byTurns(desk.makers, form.people, place);
    const files = (place: number) => upload(desk.url, by(place), `/api/kyc/${kycUUID}/files`, idOf());
    const deliveries = () => deliver(desk.url, desk.webhook, idOf());
    const asked = (one: (place: number) => Promise<Answer>) =>
      Array.from({ length: times }, (_, place) => () => one(place));
    const says = `${times} at once, ${saysForm(form)}`;
    const common = { policy: null, says, most: 0, least: 1 };
    await stir({ ...common, write: "a file of a case", asked: asked(files) });
    await stir({ ...common, write: "a delivery", asked: asked(deliveries) });
    const wanted = isLong ? { scope: "all", names: "" } : { scope: "chosen", names: ref };
    const movements = (id: string) => ({ ...order, ...wanted, id });
    const started = { write: "movements.startMovements", form, input: movements, policy: null, most: 0 };
    await send(stirring, started);
    const name = `Urgentes ${next()}`;
    const view = (id: string) => ({ id, area: "kyc", name, search: "view=due", isDefault: false });
    await send(stirring, { write: "preferences.saveView", form, input: view, policy: null, most: 0 });
  }
}

const Begun = z.object({ draft: z.object({ draftId: z.string() }) });
const drafting = (order: object) => ({ type: "PF", order });

/** One draft in many tabs. */
async function saveDrafts(stirring: Stirring): Promise<void> {
  const { desk, offers } = stirring;
  const write = "kyc.saveStartDraft";
  const common = { write, policy: null, most: 0, form: ONE_ID };
  await send(stirring, { ...common, says: "begun", input: () => drafting({ do: "begin" }) });
  const reading = { ...offerOf(offers, write), input: drafting({ do: "read" }) };
  const { data } = await act(desk.url, byTurns(desk.makers, 1, 0), reading);
  const { draftId } = Begun.parse(data).draft;
  const save = () => drafting({ do: "save", draftId, version: 0, fields: { name: newId() } });
  await send(stirring, { ...common, says: "saved", input: save });
}

/** A file of that many rows, by two people. */
const file = (places: readonly number[], row: (place: number) => string) => ({
  says: `${places.length} rows`,
  input: () => ({ csv: places.map(row).join("\n") }),
  times: 2,
});

/** Long files come last, as they may hold the store for long. */
export async function importFiles(stirring: Stirring): Promise<void> {
  const places = Array.from({ length: stirring.rows }, (_, place) => place);
  const common = { policy: null, most: 0, form: EACH_ID };
  const rates = { csv: "BSC;none;;5,4321;2024-07-01;PTAX" };
  await send(stirring, { ...common, write: "position.importRates", input: () => rates });
  const label = file(places, (place) => `${labelled(place)};own;Tesouraria ${newId().slice(0, 8)}`);
  await send(stirring, { ...common, write: "wallets.importWalletLabels", ...label });
  const addressed = places.filter((place) => place % ADDRESSED_IN === 0);
  const address = file(addressed, (place) => `${labelled(place)};pedido-${place}`);
  await send(stirring, { ...common, write: "wallets.importDepositAddresses", ...address });
}

export type Part = (stirring: Stirring) => Promise<void>;

export const PARTS: Record<Policy, readonly Part[]> = {
  never: [
    takeIn,
    sendCoins,
    sendCoinsAgain,
    sendReais,
    closeAccounts,
    decideCases,
    writeOfWallets,
    makeNew,
    exportAll,
    saveDrafts,
  ],
  above: [sendReais],
  always: [sendCoins, sendReais, closeAccounts, decideCases, writeOfWallets],
};
