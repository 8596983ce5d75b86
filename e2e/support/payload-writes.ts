import { randomUUID } from "node:crypto";
import type { Page, Request } from "@playwright/test";
import { z } from "zod";
import { fillProof, openClosing } from "./closing-page";
import {
  fillAddress,
  fillFields,
  fillLinks,
  fillPerson,
  goOn,
  individual,
  inventPassword,
  LINKS,
} from "./account-fields";
import { note } from "./canary";
import { fillDecision } from "./decide";
import { inventCnpj, inventCpf } from "./invent";
import { lookUp } from "./look-up";
import { DONE, WRITES, type Write } from "./payload-answers";
import { PAYLOADS } from "./payload-list";
import { TEXTS } from "./payload-marks";
import { endAt, type Form, type Hand, refuseAll } from "./payload-press";
import type { Provider } from "./provider";
import { type CapturedAction, callAction, isAction } from "./server-action";
import { untilSeen } from "./sight";
import { field, fillIndividual, fillStart, INDIVIDUAL } from "./start-form";
import { expect } from "./story";

const Order = z.tuple([z.looseObject({ intentId: z.string() }), z.string()]);
type Orders = { write: Write; action: CapturedAction; times: number; about: () => object };

const isOrder = (request: Request) => isAction(request) && /"seen":/.test(request.postData() ?? "");

/** The order that a page sends next, as opposed to what it keeps of its form. */
async function nextOrder(page: Page): Promise<CapturedAction> {
  const request = await page.waitForRequest(isOrder, { timeout: 60_000 });
  const { "next-action": id = "", "content-type": contentType = "" } = request.headers();
  return { address: request.url(), id, contentType, body: request.postData() ?? "" };
}

/** Sends the form's order so often, each time about somebody else, and is told each time that it is done. */
async function orderOften(page: Page, { write, action, times, about }: Orders, { tampering }: Hand): Promise<void> {
  tampering.tells(write, { status: 200, body: DONE[write] });
  const [order, scope] = Order.parse(JSON.parse(action.body));
  for (let sent = 0; sent < times; sent += 1) {
    const body = JSON.stringify([{ ...order, intentId: randomUUID(), ...about() }, scope]);
    const answer = await callAction(page, { ...action, body }, new URL(action.address).origin);
    expect(await answer.text(), `${write} ${sent}`).toContain('"ok":true');
  }
}

/** A case is started, refused in every way, done, and at last not known. */
async function startCases(page: Page, type: "PF" | "PJ", hand: Hand): Promise<void> {
  const { say } = hand;
  await page.goto(`/kyc/new?type=${type}`);
  if (type === "PF") await fillStart(page, say, inventCpf().digits);
  else {
    await page.getByRole("radio", { name: say("kycStart.models.BASIC.name") }).check();
    await field(page, "vatNumber").fill(inventCnpj().digits);
    await field(page, "legalName").fill("Padaria do Largo Ltda.");
    await fillIndividual(page, { ...INDIVIDUAL, vatNumber: inventCpf().digits }, "qsa.0.");
  }
  const price = say("kycStart.price", { type, model: "BASIC" });
  const buttons = [say("kycStart.toReview"), say("kycStart.start", { price })];
  const write = type === "PF" ? WRITES.person : WRITES.company;
  const form: Form = { write, buttons, names: type === "PF" ? "name" : "legalName" };
  const [action] = await Promise.all([nextOrder(page), refuseAll(page, form, hand)]);
  await endAt(page, { ...form, status: 503, until: say("kycStart.sentTitle") }, hand);
  const about = () => ({ vatNumber: (type === "PF" ? inventCpf() : inventCnpj()).digits });
  // A person's carries a link, and so but one payload there.
  const times = type === "PF" ? PAYLOADS.length : TEXTS;
  await orderOften(page, { write, action, times, about }, hand);
  await hand.tabs.visit(page, `/kyc/new?type=${type}`);
}

async function fillCompany(page: Page, { say }: Hand): Promise<void> {
  await fillFields(page, {
    "legalPerson.documentNumber": inventCnpj().digits,
    "legalPerson.businessName": "Padaria do Largo Ltda.",
    "legalPerson.tradingName": "Padaria do Largo",
    "legalPerson.establishmentDate": "01022015",
  });
  await goOn(page, say);
  await fillFields(page, { email: "contato@example.com", "legalPerson.contactNumber": "1130000000" });
  await fillAddress(page, "legalPerson.businessAddress.");
  await goOn(page, say);
  const owner = individual("legalPerson.owner.0.", inventCpf().digits, "Eva Prado");
  const reach = { "legalPerson.owner.0.email": "eva@example.com", "legalPerson.owner.0.phoneNumber": "11999990042" };
  await fillFields(page, { ...owner, ...reach });
  await goOn(page, say);
  await fillLinks(page, [...LINKS, "socialContractLink"]);
  await goOn(page, say);
  await expect(page.getByRole("heading", { name: say("accountForm.reviewTitle") })).toBeFocused();
}

/** The same with an account that is asked for. */
async function requestAccounts(page: Page, type: "PF" | "PJ", hand: Hand): Promise<void> {
  const { say } = hand;
  await page.goto(`/onboarding/new?type=${type}`);
  await (type === "PF" ? fillPerson(page, say, inventCpf().digits) : fillCompany(page, hand));
  const password = inventPassword();
  const form: Form = {
    write: type === "PF" ? WRITES.personAccount : WRITES.companyAccount,
    buttons: [say("accountForm.create")],
    names: "transactionPassword",
    typed: { transactionPassword: password, passwordAgain: password },
  };
  const [action] = await Promise.all([nextOrder(page), refuseAll(page, form, hand)]);
  await endAt(page, { ...form, status: 503, until: say("accountForm.sentTitle") }, hand);
  const [{ person, legalPerson }] = Order.parse(JSON.parse(action.body));
  const about = () =>
    type === "PF"
      ? { person: { ...Object(person), documentNumber: inventCpf().digits } }
      : { legalPerson: { ...Object(legalPerson), documentNumber: inventCnpj().digits } };
  await orderOften(page, { write: form.write, action, times: TEXTS, about }, hand);
  await hand.tabs.visit(page, `/onboarding/new?type=${type}`);
}

/** A case that nothing tampers with, so that it can be decided upon. */
async function decide(page: Page, kycUUID: string, hand: Hand): Promise<void> {
  const { say, tabs } = hand;
  await untilSeen(page, "/api/kyc?status=PENDING&sort=arrival", kycUUID);
  await page.goto(`/kyc/${kycUUID}`);
  await page.getByRole("button", { name: say("kyc.decide"), exact: true }).click();
  await fillDecision(page.getByRole("dialog", { name: say("kyc.dialogTitle") }), say);
  const form: Form = { write: WRITES.decision, buttons: [say("kyc.submitApprove")], names: "reason" };
  await refuseAll(page, form, hand);
  await endAt(page, { ...form, status: 200, until: say("failures.decision-unconfirmed") }, hand);
  await tabs.visit(page, `/kyc/${kycUUID}`);
}

/** An account that nothing tampers with but for how it stands is closed, where the policy asks for nobody else. */
async function close(page: Page, document: string, hand: Hand): Promise<void> {
  const { say, tabs } = hand;
  await lookUp(page, say, document);
  const dialog = await openClosing(page, say);
  await tabs.look(page);
  const proof = { token: `holder-${randomUUID()}`, code: "918273" };
  note("holder's token", proof.token);
  await dialog.getByLabel(say("closing.user")).fill("user-1");
  await dialog.getByLabel(say("closing.reason"), { exact: true }).fill("A pedido do titular");
  await fillProof(dialog, say, proof);
  const typed = { userAccessToken: proof.token, code: proof.code };
  const form: Form = { write: WRITES.closing, buttons: [say("closing.submit")], names: "userId", typed };
  await refuseAll(page, form, hand);
  await endAt(page, { ...form, status: 200, until: say("failures.closing-unconfirmed") }, hand);
  await tabs.visit(page, new URL(page.url()).pathname);
}

/** What a company's account is read for, as often as it takes to be told everything. */
async function readCompany(page: Page, document: string, { say, tabs }: Hand): Promise<void> {
  await lookUp(page, say, document);
  await openClosing(page, say);
  await tabs.look(page);
  const { pathname } = new URL(page.url());
  for (let read = 0; read < TEXTS; read += 1) {
    expect((await page.request.get(`/api${pathname}/closing`)).ok()).toBe(true);
  }
}

/** What there is to be done something with: a case, a person's account and a company's. */
export async function prepareWrites(provider: Provider, spares: (text: string) => void) {
  const [person, company, subject] = [inventCpf().digits, inventCnpj().digits, inventCpf().digits];
  for (const document of [person, company]) {
    spares(document);
    await provider.openAccount(document);
  }
  const kycUUID = await provider.openCase(subject);
  spares(kycUUID);
  return { kycUUID, person, company };
}

/** Every write that a screen orders: refused with every payload where its form stands, and done with every payload. */
export async function writeEverything(hand: Hand, prepared: Awaited<ReturnType<typeof prepareWrites>>): Promise<void> {
  const [one, two, three, four] = hand.tabs.pages;
  await Promise.all([
    startCases(one, "PF", hand),
    startCases(two, "PJ", hand).then(() => decide(two, prepared.kycUUID, hand)),
    requestAccounts(three, "PF", hand).then(() => requestAccounts(three, "PJ", hand)),
    close(four, prepared.person, hand).then(() => readCompany(four, prepared.company, hand)),
  ]);
}
