import { beforeEach, describe, expect, it, vi } from "vitest";
import { getSession } from "@/lib/auth/session";
import { completeCnpj, completeCpf } from "@/lib/contract/document";
import { USUAL_PER_HOUR } from "@/lib/privacy/reveal";
import { reveal } from "@/lib/db/tables/privacy";
import { shownAccountDocument } from "@/lib/db/document";
import { account } from "@/lib/db/tables/customers";
import { auditEvent } from "@/lib/db/tables/audit";
import type { Db } from "@/lib/db/connection";
import { actorOf, givenEnv, givenService, givenStaff, givenStore } from "@/test/support/console";
import { openAccount } from "@/test/support/transfers";
import { lookUp as findAccount, lookUpPixKey, PixKeyLookUp } from "./look-up";
import { readPixKey } from "./inputs";

const CPF = completeCpf("417205638");
const CNPJ = completeCnpj("12ABC3450001");
const RANDOM = "123e4567-e89b-42d3-a456-426614174000";

describe("a PIX key as people write it", () => {
  it.each([
    [`${CPF.slice(0, 3)}.${CPF.slice(3, 6)}.${CPF.slice(6, 9)}-${CPF.slice(9)}`, CPF],
    [CNPJ.toLowerCase(), CNPJ],
    ["(11) 98765-4321", "+5511987654321"],
    ["+55 11 98765-4321", "+5511987654321"],
    ["5511987654321", "+5511987654321"],
    [`+55${CPF}`, `+55${CPF}`],
    ["Ana@Exemplo.com.br", "ana@exemplo.com.br"],
    [RANDOM.toUpperCase(), RANDOM],
    ["11987654321", "+5511987654321"],
    ["tel:+55-11-98765-4321", "+5511987654321"],
    ["tel:11987654321", "+5511987654321"],
    ["(11)\u00a098765\u20114321", "+5511987654321"],
    ["\u202a+55 11 98765\u20134321\u202c", "+5511987654321"],
    ["011 98765-4321", "+5511987654321"],
    ["00 55 11 98765-4321", "+5511987654321"],
    ["１１９８７６５４３２１", "+5511987654321"],
    ["+351 912 345 678", "+351912345678"],
    ["mailto:Ana@Exemplo.com.br", "ana@exemplo.com.br"],
    ["ana@exemplo.com.br\u200b", "ana@exemplo.com.br"],
    [`\u2066${RANDOM}\u2069`, RANDOM],
    [RANDOM.replaceAll("-", "\u2011"), RANDOM],
    ["52998224724", null],
    ["417.205.638-41", null],
    ["joão@exemplo.com.br", null],
    ["ana@padaría.com.br", null],
    ["a key", null],
    ["0001", null],
    ["", null],
  ])("reads the key %s as %s", (typed, key) => {
    expect(readPixKey(typed)).toBe(key);
  });
});

it.each([
  ["98765-4321", "pix-key-phone"],
  ["tel:98765-4321", "pix-key-phone"],
  ["+55 98765-4321", "pix-key-phone"],
  ["52998224724", "pix-key"],
  ["a key", "pix-key"],
])("says why %s is no PIX key", (pixKey, code) => {
  const { error } = PixKeyLookUp.safeParse({ pixKey, reason: "verification", note: "Conferência antes de pagar" });
  expect(error?.issues).toMatchObject([{ params: { code } }]);
});

describe("looking a PIX key up", () => {
  let db: Db;
  let staffId = "";
  let asked: string[] = [];
  let provider: ((request: Request) => Response | null) | null = null;

  beforeEach(async () => {
    givenEnv();
    db = await givenStore();
    staffId = await givenStaff(db, "support");
    asked = [];
    provider = null;
    vi.mocked(getSession).mockResolvedValue(null);
  });

  const given = () =>
    givenService(
      ({ url }) => asked.push(new URL(url).pathname),
      (serve) => async (request) => provider?.(request) ?? serve(request),
    );
  const lookUp = (pixKey: string) =>
    lookUpPixKey(
      actorOf("support", staffId, "transfers:create"),
      PixKeyLookUp.parse({ pixKey, reason: "verification", note: "Conferência antes de pagar" }),
    );
  const told = async (pixKey: string) =>
    Object.fromEntries((await lookUp(pixKey)).fields.map(({ name, path, text }) => [name ?? path, text]));

  it("shows a key's holder in clear, masks the document, and audits without the key", async () => {
    const service = await given();
    const { accountId, documentNumber } = await openAccount(service);
    const fields = await told(accountId);
    expect(fields).toMatchObject({ accountId, keyType: "EVP", branch: "0001" });
    expect(fields["name"]).toMatch(/^\p{L}+( \p{L}+)+$/u);
    expect(fields["documentNumber"]).toMatch(/^\*{3}\.\d{3}\.\d{3}-\*{2}$/);
    const stored = JSON.stringify([await db.select().from(auditEvent), await db.select().from(reveal)]);
    expect(stored).not.toContain(accountId);
    expect(stored).not.toContain(documentNumber);
    const [event] = await db.select().from(auditEvent);
    expect(event).toMatchObject({ code: "pix-key.look-up", actor: staffId, detail: { reason: "verification" } });
    expect(event?.object).toMatch(/^pix-key:/);
  });

  it("masks a PIX key that is a document", async () => {
    provider = ({ url }) => (url.includes("/v1/pix/") ? Response.json({ nome: "João da Silva" }) : null);
    await given();
    expect((await lookUp("529.982.247-25")).pixKey).toBe("***.982.247-**");
    expect((await lookUp("joao@exemplo.com.br")).pixKey).toBe("joao@exemplo.com.br");
  });

  it("links to our own account by id, or by number and holder, and to no other", async () => {
    const service = await given();
    const { accountId, onBoardingId } = await openAccount(service);
    expect((await lookUp(accountId)).own).toBeNull();
    await findAccount(actorOf("support", staffId, "accounts:read"), { query: onBoardingId });
    const [row] = await db.select().from(account);
    const own = { ref: row?.ref, name: `${row?.branch} / ${row?.number}` };
    expect((await lookUp(accountId)).own).toEqual(own);
    const holder = { conta: row?.number, agencia: row?.branch, cpf: row && shownAccountDocument(row).mask };
    provider = ({ url }) => (url.includes("/v1/pix/") ? Response.json({ resultado: holder }) : null);
    expect((await lookUp("joao@exemplo.com.br")).own).toEqual(own);
    holder.cpf = "***.111.111-**";
    expect((await lookUp("maria@exemplo.com.br")).own).toBeNull();
  });

  it("audits a look-up even when the provider does not know the key", async () => {
    await given();
    await expect(lookUp("ninguem@exemplo.com.br")).rejects.toMatchObject({
      kind: "not-found",
      details: { code: "pix-key-unknown" },
    });
    expect(await db.select().from(auditEvent)).toMatchObject([{ code: "pix-key.look-up" }]);
  });

  it("reads another provider's field names and keeps unknown fields as they came", async () => {
    const holder = {
      nome_titular: "João da Silva",
      cpfCnpj: "***.456.789-**",
      nomeBanco: "Banco Exemplo",
      praça: "SP",
    };
    provider = ({ url }) => (url.includes("/v1/pix/") ? Response.json({ resultado: holder }) : null);
    await given();
    expect(await told("joao@exemplo.com.br")).toEqual({
      name: "João da Silva",
      documentNumber: "***.456.789-**",
      bank: "Banco Exemplo",
      "resultado.praça": "SP",
    });
  });

  it("requires a recent proof beyond twenty look-ups an hour, and makes no call", async () => {
    await given();
    for (let time = 0; time < USUAL_PER_HOUR; time += 1) {
      await expect(lookUp("ninguem@exemplo.com.br")).rejects.toMatchObject({ kind: "not-found" });
    }
    const before = asked.length;
    await expect(lookUp("ninguem@exemplo.com.br")).rejects.toMatchObject({ details: { code: "step-up" } });
    expect(asked).toHaveLength(before);
  });
});
