import { getLocale } from "next-intl/server";
import { beforeEach, expect, it, vi } from "vitest";
import { getSession } from "@/lib/auth/session";
import { auditEvent } from "@/lib/db/tables/audit";
import type { Db } from "@/lib/db/connection";
import type { Role } from "@/lib/permission/permission";
import { sessionOf } from "@/test/support/auth";
import { actorOf, givenEnv, givenService, givenStaff, givenStore } from "@/test/support/console";
import { textsOf } from "@/test/support/pdf";
import type { Account } from "@/test/support/service/transfers";
import { openAccount } from "@/test/support/transfers";
import { lookUp } from "./look-up";
import { nameFile } from "./name-file";
import { exportLetter } from "./queries";
import { LETTER_FILE, STATEMENT_FILE } from "./view";

let db: Db;
let held: Account;
let ref = "";
let support = "";
/** Besides what the service tells of the account. */
let more: Record<string, unknown> = {};

async function signIn(role: Role): Promise<string> {
  const staffId = await givenStaff(db, role);
  vi.mocked(getSession).mockResolvedValue(sessionOf({ staffId, tenant: "aurora", roles: [role] }));
  return staffId;
}

beforeEach(async () => {
  vi.mocked(getLocale).mockResolvedValue("pt-BR");
  givenEnv();
  db = await givenStore();
  more = {};
  const service = await givenService(
    () => {},
    (serve) => async (request) => {
      const answer = await serve(request);
      if (!request.url.includes("getAccountInfoNaturalPerson")) return answer;
      const told: { data: object } = await answer.json();
      return Response.json({ ...told, data: { ...told.data, ...more } });
    },
  );
  held = await openAccount(service);
  support = await signIn("support");
  const found = await lookUp(actorOf("support", support, "accounts:read"), { query: held.onBoardingId });
  ref = "accountRef" in found ? found.accountRef : "";
});

async function printed(revealId: string | null = null): Promise<string[]> {
  const { parts } = await exportLetter(ref, revealId);
  return textsOf(Buffer.from((await parts.next()).value ?? []));
}

const after = (texts: readonly string[], label: string) => texts[texts.indexOf(label) + 1];

const nameIt = (file = LETTER_FILE) =>
  nameFile(actorOf("support", support, "statement:export"), {
    ref,
    file,
    reason: "service",
    note: "Protocolo 8731, carta para o RH",
  });

it("prints holder, branch and number under the company's name, masked", async () => {
  const texts = await printed();
  expect(texts).toContain("Aurora");
  expect(after(texts, "Titular")).toBe("A••• B••• S•••");
  expect(after(texts, "CPF ou CNPJ")).toMatch(/^\*\*\*\.\d{3}\.\d{3}-\*\*$/);
  expect(after(texts, "Agência")).toBe("0001");
  expect(after(texts, "Situação")).toBe("Ativa");
  expect(texts.join(" ")).not.toContain(held.documentNumber);
  expect(texts).not.toContain("Chaves PIX");
});

it("prints the name and PIX keys in clear after a reason for this file", async () => {
  more = { pixKeys: [{ key: "ana@exemplo.com.br", type: "EMAIL" }], chavePix: "+5511987654321" };
  const hidden = await printed();
  expect(after(hidden, "Chaves PIX")).toBe("2, mostradas na carta com nomes");
  expect(hidden.join(" ")).not.toMatch(/ana@|98765/);
  const { revealId } = await nameIt();
  const named = await printed(revealId);
  expect(after(named, "Titular")).toBe("Ana Beatriz Souza");
  expect(named).toEqual(expect.arrayContaining(["ana@exemplo.com.br", "+5511987654321"]));
  expect(named).not.toContain("EMAIL");
  const other = await nameIt(STATEMENT_FILE);
  await expect(exportLetter(ref, other.revealId)).rejects.toMatchObject({ kind: "forbidden" });
});

it("is on record before its first byte, and for who may export alone", async () => {
  const { fileName } = await exportLetter(ref);
  expect(fileName).toMatch(/^dados-da-conta-[\d-]+\.pdf$/);
  const exported = (await db.select().from(auditEvent)).filter(({ code }) => code === "statement.export");
  expect(exported).toMatchObject([{ object: `account:${ref}`, detail: { what: "letter", format: "pdf" } }]);
  await signIn("approver");
  await expect(exportLetter(ref)).rejects.toMatchObject({ kind: "forbidden" });
});
