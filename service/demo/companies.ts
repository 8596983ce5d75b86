import type { CreateCompanyAccount } from "@/lib/contract/onboarding";
import { type Dice, list } from "./dice";
import type { Documents } from "./documents";
import { mailbox, someAddress, someDate, someLinks, someMother, someName, somePhone } from "./people";

const TRADES = list(`
  Padaria, Mercado, Farmácia, Oficina, Papelaria, Transportes, Construtora, Cafeteria, Distribuidora, Clínica,
  Confecções, Engenharia, Pet Shop, Móveis, Gráfica, Laticínios, Restaurante, Academia
`);
const NAMES = list(`
  Aurora do Vale, Bom Retiro, Estrela Guia, Ipê Amarelo, Serra Azul, Três Irmãos, Nova Esperança, Horizonte,
  São Bento, Vale Verde, Pedra Branca, Santa Clara, Beira Rio, Morada do Sol, Capim Dourado, Mandacaru, Jequitibá,
  Araucária, Buriti, Sabiá
`);

/** The names of a company: as registered, and as people know it. */
export function someCompanyName(dice: Dice) {
  const tradingName = `${dice.pick(TRADES)} ${dice.pick(NAMES)}`;
  return { tradingName, businessName: `${tradingName} ${dice.pick(["Ltda", "S.A.", "ME", "EIRELI"])}` };
}

/** Someone behind a company, with a document of their own. */
export function somePartner(dice: Dice, documents: Documents) {
  const birthDate = someDate(dice, 1955, 1995);
  return { fullName: someName(dice), documentNumber: documents.cpf(), birthDate, motherName: someMother(dice) };
}

/** A whole request for a legal person's account. */
export function someCompany(dice: Dice, documents: Documents, documentNumber: string): CreateCompanyAccount {
  const names = someCompanyName(dice);
  const email = mailbox(names.tradingName, "empresa.example");
  const owner = Array.from({ length: dice.int(1, 3) }, () => ({
    ...somePartner(dice, documents),
    phoneNumber: somePhone(dice),
    address: someAddress(dice),
  }));
  return {
    email,
    transactionPassword: String(dice.int(100_000, 999_999)),
    legalPerson: {
      ...names,
      documentNumber,
      businessEmail: email,
      contactNumber: somePhone(dice),
      establishmentDate: someDate(dice, 1998, 2023),
      businessAddress: someAddress(dice),
      owner,
    },
    bankDocuments: {
      ...someLinks(dice),
      socialContractLink: `https://arquivos.example/contrato-${dice.int(1, 9_999)}.pdf`,
    },
  };
}
