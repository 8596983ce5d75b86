import type { Locator, Page } from "@playwright/test";
import { expectAccessible } from "./support/accessible";
import { openColleagueSession } from "./support/colleague";
import { additionIn, noteIn } from "./support/decide";
import { inventCpf, type Invented } from "./support/invent";
import { untilSeen } from "./support/sight";
import { expect, test } from "./support/story";
import type { Words } from "./support/words";

type Outcome = "APPROVED" | "REPROVED";
type Planned = { cpf: Invented; kycUUID: string };

/** Everything this window shows of cases: its markup without scripts, and its fields. */
const inSight = (page: Page) =>
  page.evaluate(() => {
    const body = document.body.cloneNode(true);
    if (!(body instanceof HTMLElement)) throw new Error("no page");
    for (const script of body.querySelectorAll("script")) script.remove();
    const fields = [...document.querySelectorAll("input, textarea")].map((field) =>
      field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement ? field.value : "",
    );
    return `${document.title} ${body.outerHTML} ${fields.join(" ")}`;
  });

/** Keys work only after the page's scripts load. */
async function untilKeysAct(page: Page, say: Words): Promise<void> {
  const sheet = page.getByRole("dialog", { name: say("triage.keys.title") });
  await expect(async () => {
    await page.keyboard.press("?");
    await expect(sheet).toBeVisible({ timeout: 500 });
  }).toPass();
  await page.keyboard.press("Escape");
  await expect(sheet).toBeHidden();
}

/** Presses at the moment the element appears, faster than a hand. */
async function pressWhenShown(page: Page, key: string, selector: string): Promise<void> {
  await page.evaluate(
    (wanted) => {
      const watching = new MutationObserver(() => {
        if (document.querySelector(wanted.selector) === null) return;
        watching.disconnect();
        document.body.dispatchEvent(new KeyboardEvent("keydown", { key: wanted.key, bubbles: true, cancelable: true }));
      });
      watching.observe(document.body, { childList: true, subtree: true });
    },
    { key, selector },
  );
}

async function tabTo(page: Page, target: Locator): Promise<void> {
  for (let presses = 0; presses < 20; presses += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press("Tab");
  }
  await expect(target).toBeFocused();
}

/** Decides the open case by keyboard alone; returns the text written about it. */
async function decideByKeys(page: Page, say: Words, { cpf, outcome }: Planned & { outcome: Outcome }) {
  const dialog = page.getByRole("dialog", { name: say("kyc.dialogTitle") });
  await expect(dialog).toContainText(cpf.masked);
  await expect(dialog.locator(":focus")).toHaveAttribute("name", "reasonCode");
  await page.keyboard.press("Space");
  for (const item of await dialog.getByRole("checkbox").all()) {
    await tabTo(page, item);
    await page.keyboard.press("Space");
  }
  const written = [`Conferido ${cpf.masked.replaceAll(/\D/g, "")}.`, `Nota ${cpf.masked.replaceAll(/\D/g, "")}`];
  await tabTo(page, additionIn(dialog, say));
  await page.keyboard.type(written[0] ?? "");
  await tabTo(page, noteIn(dialog, say));
  await page.keyboard.type(written[1] ?? "");
  await tabTo(
    page,
    dialog.getByRole("button", { name: say(outcome === "APPROVED" ? "kyc.submitApprove" : "kyc.submitReprove") }),
  );
  await page.keyboard.press("Enter");
  await expect(dialog).toBeHidden();
  return written;
}

/** The number of recent decisions by that person in the open figures. */
async function decidedBy(page: Page, say: Words, name: string): Promise<number[]> {
  const people = page.getByRole("region", { name: say("kycFigures.people", { count: 14 }) });
  await expect(people).toBeVisible();
  const row = people.getByRole("row").filter({ hasText: name });
  if ((await row.count()) === 0) return [0, 0];
  return (await row.locator("td[data-align=end]").allTextContents()).slice(0, 2).map(Number);
}

const CASES = 4;

test("an analyst decides cases by keyboard without seeing the previous one", async ({ signedInAs, provider, say }) => {
  test.slow();
  const planned: Planned[] = [];
  for (let made = 0; made < CASES; made += 1) {
    const cpf = inventCpf();
    planned.push({ cpf, kycUUID: await provider.openCase(cpf.digits) });
  }
  const page = await signedInAs("compliance");
  await page.goto("/kyc/figures");
  const [approved = 0, reproved = 0] = await decidedBy(page, say, "Rafael Tavares");
  for (const { kycUUID } of planned) await untilSeen(page, "/api/kyc?status=PENDING&sort=arrival", kycUUID);
  await page.addInitScript(() => {
    document.addEventListener("pointerdown", () => document.documentElement.setAttribute("data-pointer", "used"), true);
  });
  await page.goto("/kyc");
  const next = page.getByRole("button", { name: say("triage.next.label") });
  await untilKeysAct(page, say);
  await page.keyboard.press("n");
  // Pressed while the first case loads, and meant for it.
  await page.keyboard.press("r");

  let before: string[] = [];
  const decided = new Map<string, Outcome>();
  for (let turn = 1; turn <= CASES; turn += 1) {
    await expect(page).toHaveURL((url) => /^\/kyc\/[^/]+$/.test(url.pathname) && !decided.has(url.pathname));
    const { pathname } = new URL(page.url());
    const one = planned.find(({ kycUUID }) => pathname === `/kyc/${kycUUID}`);
    if (one === undefined) throw new Error(`${pathname} is none of the story's cases`);
    const outcome = turn % 2 === 1 ? "REPROVED" : "APPROVED";
    decided.set(pathname, outcome);
    if (turn > 1) {
      await expect(page.getByRole("heading", { level: 1, name: one.cpf.masked })).toBeFocused();
      const shown = await inSight(page);
      expect(before.filter((text) => shown.includes(text))).toEqual([]);
      await page.keyboard.press(outcome === "APPROVED" ? "a" : "r");
    }
    const written = await decideByKeys(page, say, { ...one, outcome });
    await expect(next).toBeFocused();
    before = [one.cpf.masked, one.kycUUID, ...written];
    await page.keyboard.press(turn % 2 === 0 ? "n" : "Enter");
  }
  await expect(page.getByText(say("triage.next.none", { own: 0, read: "yes" }))).toBeVisible();
  for (const { kycUUID } of planned) expect(await provider.caseStatus(kycUUID)).toBe(decided.get(`/kyc/${kycUUID}`));
  await page.keyboard.press("u");
  await expect(page.getByRole("heading", { level: 1, name: say("kyc.title") })).toBeVisible();
  expect(await page.locator("html").getAttribute("data-pointer")).toBeNull();

  await page.getByRole("link", { name: say("kyc.figures"), exact: true }).click();
  await expect(page.getByRole("heading", { level: 1, name: say("kycFigures.title") })).toBeVisible();
  expect(await decidedBy(page, say, "Rafael Tavares")).toEqual([approved + CASES / 2, reproved + CASES / 2]);
  await page.getByText(say("kycFigures.asTable")).click();
  await expect(page.getByRole("table", { name: say("kycFigures.perDay") }).getByRole("row")).toHaveCount(15);
  await expectAccessible(page, "the figures");
});

test(
  "keys move, open and decide in the list and return to the same row",
  { tag: "@long" },
  async ({ signedInAs, provider, say }) => {
    const made = [inventCpf(), inventCpf(), inventCpf()];
    const ids: string[] = [];
    for (const cpf of made) ids.push(await provider.openCase(cpf.digits));
    const page = await signedInAs("compliance");
    for (const kycUUID of ids) await untilSeen(page, "/api/kyc?status=PENDING&sort=arrival", kycUUID);
    await page.goto("/kyc?status=PENDING&sort=arrival");
    const links = page.locator("[data-case] a.row-link");
    await untilKeysAct(page, say);
    await page.keyboard.press("a");
    await expect(page.getByText(say("triage.keys.noCase"))).toBeVisible();
    await page.keyboard.press("j");
    await expect(links.nth(0)).toBeFocused();
    await page.keyboard.press("j");
    await page.keyboard.press("j");
    await page.keyboard.press("k");
    await expect(links.nth(1)).toBeFocused();
    const document = (await links.nth(1).textContent()) ?? "";
    await page.keyboard.press("c");
    await expect(page.getByText(say("triage.claimed", { document }))).toBeVisible();
    await pressWhenShown(page, "j", "main a[rel=next]");
    await page.keyboard.press("Enter");
    await expect(page.getByRole("heading", { level: 1, name: /^\*/ })).not.toHaveText(document);
    await expect(page.getByRole("heading", { level: 1, name: /^\*/ })).toBeFocused();
    await page.keyboard.press("k");
    await expect(page.getByRole("heading", { level: 1, name: document })).toBeVisible();
    await page.keyboard.press("u");
    await expect(page).toHaveURL(/\/kyc\?status=PENDING&sort=arrival$/);
    await expect(page.getByRole("link", { name: document })).toBeFocused();

    await page.keyboard.press("Control+j");
    await expect(page.getByRole("link", { name: document })).toBeFocused();
    await page.keyboard.press("?");
    const sheet = page.getByRole("dialog", { name: say("triage.keys.title") });
    await expect(sheet).toBeVisible();
    await expectAccessible(page, "the sheet of shortcuts");
    await page.keyboard.press("Enter");
    await expect(sheet.getByText(say("triage.keys.isOn"))).toBeVisible();
    await sheet.getByRole("button", { name: say("triage.keys.switchOff") }).click();
    await expect(sheet.getByText(say("triage.keys.isOff"))).toBeVisible();
    await page.keyboard.press("Escape");
    await page.keyboard.press("?");
    await expect(sheet).toBeHidden();
    await page.getByRole("button", { name: say("triage.keys.hintOff") }).click();
    await sheet.getByRole("button", { name: say("triage.keys.switchOn") }).click();
    await expect(sheet.getByText(say("triage.keys.isOn"))).toBeVisible();
  },
);

test(
  "reassigning a case notifies its former owner's open screen",
  { tag: "@long" },
  async ({ browser, product, signedInAs, provider, language, say }) => {
    const cpf = inventCpf();
    const kycUUID = await provider.openCase(cpf.digits);
    const page = await signedInAs("compliance");
    await untilSeen(page, "/api/kyc?status=PENDING&sort=arrival", kycUUID);
    await page.goto(`/kyc/${kycUUID}`);
    await page.getByRole("button", { name: say("triage.claim"), exact: true }).click();
    await expect(page.getByText(say("triage.claimed", { document: cpf.masked }))).toBeVisible();
    await expect(page.getByRole("button", { name: say("triage.release") })).toBeVisible();

    const { url } = product;
    const storageState = await openColleagueSession(browser, { ...product, language }, "compliance");
    const context = await browser.newContext({ baseURL: url, storageState });
    const other = await context.newPage();
    await other.goto(`/kyc/${kycUUID}`);
    await other.getByRole("button", { name: say("triage.takeOver.label") }).click();
    const question = other.getByRole("dialog", { name: say("triage.takeOver.title", { name: "Rafael Tavares" }) });
    await expectAccessible(other, "the question before a case is taken over");
    await question.getByRole("button", { name: say("triage.takeOver.submit") }).click();
    await expect(question).toBeHidden();
    const [told = ""] = say("triage.takenOver", { name: "Clara Nunes", time: "@" }).split("@");
    await expect(page.getByText(told)).toBeVisible();
    await expect(page.getByRole("button", { name: say("triage.takeOver.label") })).toBeVisible();

    await other.keyboard.press("u");
    await other.getByRole("button", { name: say("triage.away.label") }).click();
    const absence = other.getByRole("dialog", { name: say("triage.away.title") });
    await absence.getByLabel(say("triage.away.until")).fill("01/01/2020 09:00");
    await absence.getByRole("button", { name: say("triage.away.submit") }).click();
    await expect(absence.getByText(say("fields.future"))).toBeVisible();
    await absence.getByLabel(say("triage.away.until")).fill(`01/01/${new Date().getFullYear() + 1} 09:00`);
    await expectAccessible(other, "the absence");
    await absence.getByRole("button", { name: say("triage.away.submit") }).click();
    await expect(absence).toBeHidden();
    await expect(other.getByRole("button", { name: say("triage.away.back") })).toBeVisible();

    await page.reload();
    await page.getByRole("button", { name: say("triage.assign.label") }).click();
    const assigning = page.getByRole("dialog", { name: say("triage.assign.title") });
    await expect(assigning.getByRole("radio", { name: /^Clara Nunes/ })).toBeDisabled();
    await expectAccessible(page, "the assignment");
    await assigning.getByRole("radio", { name: /^Rafael Tavares/ }).check();
    await assigning.getByRole("button", { name: say("triage.assign.submit") }).click();
    await expect(assigning).toBeHidden();
    await expect(page.getByRole("button", { name: say("triage.release") })).toBeVisible();

    await other.getByRole("button", { name: say("triage.away.back") }).click();
    await expect(other.getByRole("button", { name: say("triage.away.back") })).toBeHidden();
    await context.close();
  },
);

test("a case is put off and brought back, and the second level answers it", async ({ signedInAs, provider, say }) => {
  test.slow();
  const cpf = inventCpf();
  const kycUUID = await provider.openCase(cpf.digits);
  const page = await signedInAs("compliance");
  await untilSeen(page, "/api/kyc?status=PENDING&sort=arrival", kycUUID);
  await page.goto(`/kyc/${kycUUID}`);
  await page.getByRole("button", { name: say("triage.claim"), exact: true }).click();
  await page.getByRole("button", { name: say("triage.putOff.label"), exact: true }).click();
  const puttingOff = page.getByRole("dialog", { name: say("triage.putOff.title") });
  await puttingOff.getByRole("button", { name: say("triage.putOff.submit"), exact: true }).click();
  await expect(puttingOff.getByText(say("triage.putOff.reasonFirst"))).toBeVisible();
  await expectAccessible(page, "putting a case off");
  const reason = "O contrato social chega amanhã.";
  await puttingOff.getByLabel(say("triage.putOff.reason")).fill(reason);
  await puttingOff.getByRole("button", { name: say("triage.putOff.submit"), exact: true }).click();
  await expect(puttingOff).toBeHidden();
  const back = page.getByRole("button", { name: say("triage.putOff.bringBack") });
  await expect(back).toBeVisible();
  await expect(page.getByText(reason).first()).toBeVisible();

  const list = page.getByRole("table", { name: say("kyc.title") });
  await page.goto("/kyc?view=put-off");
  await expect(list.getByRole("link", { name: cpf.masked })).toBeVisible();
  expect(await (await page.request.get("/api/kyc?status=PENDING")).text()).not.toContain(kycUUID);
  await provider.steerCase(kycUUID, "PENDING", "kyc-documentscopy");
  await untilSeen(page, "/api/kyc?status=PENDING", kycUUID);
  await page.goto(`/kyc/${kycUUID}`);
  await expect(back).toHaveCount(0);
  const [returned = ""] = say("triage.putOff.back", { why: "news", time: "@", name: "" }).split("@");
  await expect(page.getByText(returned).first()).toBeVisible();

  await page.getByRole("button", { name: say("triage.escalate.label"), exact: true }).click();
  const asking = page.getByRole("dialog", { name: say("triage.escalate.title") });
  await asking.getByLabel(say("triage.escalate.note")).fill("A procuração basta?");
  await expectAccessible(page, "handing a case to the second level");
  await asking.getByRole("button", { name: say("triage.escalate.submit"), exact: true }).click();
  await expect(asking).toBeHidden();
  await expect(page.getByRole("button", { name: say("triage.escalate.withdraw") })).toBeVisible();
  await expect(page.getByRole("button", { name: say("kyc.decide"), exact: true })).toHaveAttribute(
    "aria-disabled",
    "true",
  );

  const above = await signedInAs("approver");
  await above.goto("/kyc?view=escalated");
  await above.getByRole("link", { name: cpf.masked }).click();
  await above.getByRole("button", { name: say("triage.escalate.take"), exact: true }).click();
  await above.getByRole("button", { name: say("triage.escalate.answer") }).click();
  const answering = above.getByRole("dialog", { name: say("triage.escalate.answerTitle") });
  await answering.getByLabel(say("triage.escalate.answerNote")).fill("Basta: é pública.");
  await answering.getByRole("button", { name: say("triage.escalate.answerSubmit"), exact: true }).click();
  await expect(answering).toBeHidden();
  await expect(above.getByText("Basta: é pública.").first()).toBeVisible();

  await expect(page.getByText("Basta: é pública.").first()).toBeVisible();
  await expect(page.getByRole("button", { name: say("kyc.decide"), exact: true })).not.toHaveAttribute("aria-disabled");
});
