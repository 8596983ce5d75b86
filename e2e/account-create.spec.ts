import type { Page } from "@playwright/test";
import { expectAccessible, expectNoSidewaysScroll } from "./support/accessible";
import {
  beginAnew,
  create,
  fillAddress,
  fillFields,
  fillLinks,
  fillPassword,
  fillPerson,
  goOn,
  individual,
  inventPassword,
  LINKS,
} from "./support/account-fields";
import { inventCnpj, inventCpf } from "./support/invent";
import { isAction } from "./support/server-action";
import { idIn } from "./support/sight";
import { field } from "./support/start-form";
import { expect, test } from "./support/story";
import type { Words } from "./support/words";

const saved = (page: Page, say: Words) => page.getByText(say("draft.saved", { time: "@" }).split("@")[0] ?? "");

const reach = (at: string) => ({ [`${at}email`]: "socio@example.com", [`${at}phoneNumber`]: "+351912345678" });

/** The number of account requests that the page has sent. */
function countRequests(page: Page): () => number {
  let requests = 0;
  page.on("request", (request) => {
    if (isAction(request) && (request.postData() ?? "").includes("transactionPassword")) requests += 1;
  });
  return () => requests;
}

test("support requests a person's account step by step; a double click sends one", async ({
  signedInAs,
  provider,
  say,
}) => {
  test.slow();
  const cpf = inventCpf();
  const password = inventPassword();
  const page = await signedInAs("support");
  await page.goto("/onboarding");
  await page.getByRole("link", { name: say("accountForm.button") }).click();
  await expect(page.getByRole("heading", { level: 1, name: say("accountForm.title") })).toBeVisible();
  await beginAnew(page, say);

  await goOn(page, say);
  const summary = page.locator("[data-wrong-fields]");
  await expect(summary).toBeFocused();
  await fillFields(page, individual("person.", "52998224724", "Maria 2"));
  await expect(field(page, "person.birthDate")).toHaveValue("07/09/1984");
  await field(page, "person.documentNumber").focus();
  await field(page, "person.fullName").focus();
  await expect(field(page, "person.documentNumber"), "said as it is left").toHaveAccessibleDescription(
    say("fields.cpf"),
  );
  await expect(field(page, "person.fullName"), "the mark leaves the cursor where it is").toBeFocused();
  await goOn(page, say);
  await expect(summary).toBeFocused();
  await page.getByRole("button", { name: say("accountForm.fullName"), exact: true }).click();
  await expect(field(page, "person.fullName"), "the summary leads there").toBeFocused();
  await expect(field(page, "person.documentNumber")).toHaveAccessibleDescription(say("fields.cpf"));
  await expect(field(page, "person.fullName")).toHaveAccessibleDescription(new RegExp(say("fields.name")));
  await expect(page.getByRole("group", { name: say("accountForm.pep") })).toHaveAccessibleDescription(
    new RegExp(say("fields.required")),
  );
  await expectAccessible(page, "the first part with its fields marked");
  const minor = page.getByText(say("accountForm.minor", { age: 3 }).split(". ")[1] ?? "");
  await fillFields(page, { "person.birthDate": `0101${new Date().getFullYear() - 3}` });
  await expect(minor).toBeVisible();
  await expectAccessible(page, "a date that makes a minor of the holder");
  await fillFields(page, individual("person.", cpf.digits, "Maria Aparecida dos Santos"));
  await expect(minor).toBeHidden();
  await expect(field(page, "person.documentNumber")).toHaveValue(cpf.typed);
  await page.getByRole("radio", { name: say("accountForm.yes") }).check();
  await goOn(page, say);

  await expect(field(page, "email")).toBeVisible();
  await fillFields(page, { email: "maria", "person.phoneNumber": "999990042" });
  await goOn(page, say);
  await expect(summary).toBeFocused();
  await expect(field(page, "email")).toHaveAccessibleDescription(say("fields.email"));
  await expect(field(page, "person.phoneNumber")).toHaveAccessibleDescription(
    new RegExp(say("fields.phone").split(":")[0] ?? ""),
  );
  await fillFields(page, { email: "maria@example.com", "person.phoneNumber": "11999990042" });
  await expect(field(page, "person.phoneNumber")).toHaveValue("(11) 99999-0042");
  await fillAddress(page, "person.address.");
  await expect(field(page, "person.address.postalCode")).toHaveValue("01310-100");
  await expectAccessible(page, "the second part");
  await expect(saved(page, say)).toBeVisible();
  await page.reload();
  await expect(field(page, "person.address.street")).toHaveValue("Avenida Paulista");
  const stored = await page.evaluate(() => [localStorage, sessionStorage].map((one) => JSON.stringify(one)).join(""));
  expect(stored).not.toMatch(/Maria|Josefa|Paulista/);
  await page.goto("/onboarding/new");
  const left = page.getByRole("listitem").filter({ hasText: cpf.masked });
  await left.getByRole("link", { name: new RegExp(`^${say("draft.goOn")}`) }).click();
  await expect(field(page, "email"), "it opens where it was left").toHaveValue("maria@example.com");
  await page.getByRole("button", { name: say("accountForm.back"), exact: true }).click();
  await expect(field(page, "person.fullName")).toHaveValue("Maria Aparecida dos Santos");
  await goOn(page, say);
  await expect(field(page, "email")).toHaveValue("maria@example.com");
  await goOn(page, say);
  await expect(field(page, "bankDocuments.selfieLink")).toBeVisible();

  await page.goBack();
  await expect(field(page, "email"), "the browser's way back leads one step back").toHaveValue("maria@example.com");
  await goOn(page, say);
  await expect(field(page, "bankDocuments.selfieLink")).toBeVisible();
  await page.getByRole("button", { name: say("accountForm.back"), exact: true }).click();
  await expect(field(page, "email")).toBeVisible();
  await goOn(page, say);

  await fillLinks(page, LINKS);
  const opened = page.getByRole("link", { name: new RegExp(`^${say("accountForm.openLink")}`) });
  await expect(opened).toHaveCount(LINKS.length);
  await expect(opened.first()).toHaveAttribute("rel", "noopener noreferrer");
  await expect(page.getByText(say("accountForm.linkHost", { host: "arquivos.example" })).first()).toBeVisible();
  await fillFields(page, { "bankDocuments.selfieLink": "http://arquivos.example/selfie.jpg" });
  await goOn(page, say);
  await expect(field(page, "bankDocuments.selfieLink")).toHaveAccessibleDescription(new RegExp(say("fields.https")));
  await fillLinks(page, LINKS);
  await expectAccessible(page, "the documents");
  await goOn(page, say);

  await expect(page.getByRole("heading", { name: say("accountForm.reviewTitle") })).toBeFocused();
  await expect(page.getByText(cpf.typed)).toBeVisible();
  await expect(page.getByText("Avenida Paulista", { exact: false })).toBeVisible();
  await expect(page.getByText("Maria Aparecida dos Santos")).toBeVisible();
  const requests = countRequests(page);
  await fillPassword(page, "123456");
  await create(page, say).click();
  await expect(field(page, "transactionPassword")).toBeFocused();
  await expect(field(page, "transactionPassword")).toHaveAccessibleDescription(
    new RegExp(say("fields.password-guessable").slice(0, 20)),
  );
  await expect(field(page, "transactionPassword")).toHaveValue("");
  await fillPassword(page, password, `${password}x`);
  await create(page, say).click();
  await expect(field(page, "passwordAgain")).toHaveAccessibleDescription(say("fields.password-again"));
  await expectAccessible(page, "the review with its password marked");
  await fillPassword(page, password);
  const before = requests();
  await create(page, say).dblclick();
  await expect(page.getByText(say("accountForm.created"))).toBeVisible();
  await expect(page.getByRole("heading", { level: 1, name: cpf.masked })).toBeVisible();
  expect(requests() - before).toBe(1);
  expect((await provider.checkOnboarding(cpf.digits)).body.account.documentNumber).toBe(cpf.digits);

  const own = new URL(page.url()).pathname;
  await page.goto("/onboarding/new");
  await expect(field(page, "person.fullName")).toHaveValue("");
  await fillPerson(page, say, cpf.typed);
  await expect(page.getByRole("link", { name: say("accountForm.likeOpen") })).toHaveAttribute("href", own);
  const tick = page.getByRole("checkbox", { name: say("accountForm.again") });
  await fillPassword(page, password);
  await create(page, say).click();
  await expect(tick).toBeFocused();
  await tick.check();
  await create(page, say).click();
  await expect(page.getByText(say("refusedStatuses.409", { answer: "409" }))).toBeVisible();
  await expect(field(page, "transactionPassword")).toHaveValue("");
});

test(
  "compliance requests a company account with owners and reuses an old attempt",
  { tag: "@long" },
  async ({ signedInAs, provider, say }) => {
    test.slow();
    const cnpj = inventCnpj();
    const one = inventCpf();
    const other = inventCpf();
    const password = inventPassword();
    const page = await signedInAs("compliance", { width: 390 });
    await page.goto("/onboarding/new?type=PJ");
    await field(page, "legalPerson.documentNumber").fill("12.ABC.345/01DE-35");
    await expect(page.getByText(say("accountForm.lettered"))).toBeVisible();
    await fillFields(page, {
      "legalPerson.documentNumber": cnpj.digits,
      "legalPerson.businessName": "Padaria do Largo Ltda.",
      "legalPerson.tradingName": "Padaria do Largo",
      "legalPerson.establishmentDate": "01022015",
    });
    await expect(field(page, "legalPerson.documentNumber")).toHaveValue(cnpj.typed);
    await expectNoSidewaysScroll(page, "the company");
    await goOn(page, say);
    await fillFields(page, { email: "contato@example.com", "legalPerson.contactNumber": "1130000000" });
    await fillAddress(page, "legalPerson.businessAddress.");
    await goOn(page, say);

    const first = "legalPerson.owner.0.";
    const second = "legalPerson.owner.1.";
    await page.getByRole("button", { name: say("accountForm.addOwner") }).click();
    await page.getByRole("button", { name: say("accountForm.addOwner") }).click();
    const third = "legalPerson.owner.2.";
    await fillFields(page, { ...individual(first, one.typed, "Eva Prado"), ...reach(first) });
    await fillFields(page, { ...individual(third, one.typed, "Rui Lima"), ...reach(third) });
    await page.getByRole("button", { name: say("accountForm.removeOwner", { number: 2 }) }).click();
    await expect(field(page, `${second}fullName`)).toHaveValue("Rui Lima");
    await goOn(page, say);
    await expect(field(page, `${second}documentNumber`)).toHaveAccessibleDescription(say("fields.repeated"));
    await field(page, `${second}documentNumber`).fill(other.digits);
    const rui = page.getByRole("group", { name: say("accountForm.owner", { number: 2 }) });
    await rui.getByRole("checkbox", { name: say("accountForm.ownAddress") }).check();
    await fillAddress(page, `${second}address.`);
    await expectAccessible(page, "the owners");
    await expectNoSidewaysScroll(page, "the owners");
    await goOn(page, say);
    await fillLinks(page, [...LINKS, "socialContractLink"]);
    await goOn(page, say);
    await expect(page.getByText(say("accountForm.sameAsCompany"))).toBeVisible();
    await expectAccessible(page, "the company's review");
    await expectNoSidewaysScroll(page, "the company's review");
    await fillPassword(page, password);
    await create(page, say).click();
    await expect(page.getByText(say("accountForm.created"))).toBeVisible();
    await expect(page.getByRole("heading", { level: 1, name: cnpj.masked })).toBeVisible();

    const id = idIn(page.url());
    await page.goto(`/onboarding/new?from=${id}`);
    await expect(page.getByText(say("accountForm.earlierTitle", { document: cnpj.masked }))).toBeVisible();
    await page.getByRole("button", { name: say("accountForm.takeOver") }).click();
    const why = page.getByRole("dialog", { name: say("accountForm.takeOver") });
    await why.getByRole("radio", { name: say("privacy.reasons.service") }).check();
    await why.getByLabel(say("privacy.note")).fill("Protocolo 8731: nova tentativa");
    await why.getByRole("button", { name: say("accountForm.takeOverSubmit") }).click();
    await expect(field(page, "legalPerson.businessName")).toHaveValue("Padaria do Largo Ltda.");
    await expect(field(page, "legalPerson.documentNumber")).toHaveValue(cnpj.typed);
    await expectAccessible(page, "a new attempt");
    expect((await provider.checkOnboarding(cnpj.digits)).body.account.documentNumber).toBe(cnpj.digits);
  },
);

test(
  "finance sees on the queue and the accounts which role may request an account",
  { tag: "@long" },
  async ({ signedInAs, say }) => {
    const page = await signedInAs("finance", { scripts: false });
    for (const address of ["/onboarding", "/accounts"]) {
      await page.goto(address);
      const button = page.getByRole("button", { name: say("accountForm.button") });
      await expect(button).toHaveAccessibleDescription(new RegExp(say("roles.support")));
    }
  },
);
