import { completeCnpj, completeCpf } from "@/lib/contract/document";
import type { CreateCompanyAccount, CreatePersonAccount } from "@/lib/contract/onboarding";
import { magicOutcome } from "@/service/magic-document";

/** Seeded: for appearance alone, never for an id or a key. */
export type Dice = {
  fraction: () => number;
  int: (from: number, to: number) => number;
  pick: <Item>(items: readonly Item[]) => Item;
  chance: (probability: number) => boolean;
};

/** Mulberry32. */
export function seededDice(seed: number): Dice {
  let state = seed >>> 0;
  const fraction = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000;
  };
  return {
    fraction,
    int: (from, to) => from + Math.floor(fraction() * (to - from + 1)),
    pick: (items) => {
      const picked = items[Math.floor(fraction() * items.length)];
      if (picked === undefined) throw new RangeError("nothing to pick from");
      return picked;
    },
    chance: (probability) => fraction() < probability,
  };
}

/** In cents; half of them end like prices. */
export function someCents(dice: Dice, fromReais: number, toReais: number): bigint {
  const cents = dice.chance(0.5) ? dice.pick([0, 50, 90, 99]) : dice.int(0, 99);
  return BigInt(dice.int(fromReais, toReais) * 100 + cents);
}

export function list(text: string): string[] {
  return text.split(",").map((item) => item.trim());
}

const WOMEN = list(`
  Adriana, Aline, Amanda, Beatriz, Bruna, Camila, Carolina, Cláudia, Daniela, Débora, Eduarda, Fernanda, Gabriela,
  Helena, Isabela, Jéssica, Juliana, Larissa, Letícia, Luana, Luciana, Manuela, Marina, Mônica, Natália, Patrícia,
  Priscila, Rafaela, Renata, Simone, Tatiane, Vitória
`);
const MEN = list(`
  Alexandre, André, Antônio, Bruno, Caio, Carlos, Cristiano, Diego, Eduardo, Felipe, Fábio, Gabriel, Guilherme,
  Gustavo, Henrique, Igor, João, José, Leandro, Leonardo, Lucas, Luiz, Marcelo, Márcio, Mateus, Otávio, Paulo,
  Pedro, Rafael, Ricardo, Rodrigo, Thiago, Vinícius
`);
const SURNAMES = list(`
  Albuquerque, Almeida, Alves, Andrade, Araújo, Barbosa, Batista, Borges, Braga, Brandão, Campos, Cardoso,
  Carvalho, Cavalcanti, Coelho, Correia, Costa, Dias, Duarte, Farias, Fernandes, Ferreira, Figueiredo, Freitas,
  Gomes, Gonçalves, Lima, Lopes, Machado, Martins, Medeiros, Melo, Mendes, Monteiro, Moraes, Moreira, Nascimento,
  Nogueira, Nunes, Oliveira, Pacheco, Peixoto, Pereira, Pinto, Queiroz, Ramos, Rezende, Ribeiro, Rocha, Rodrigues,
  Sampaio, Santana, Santos, Silva, Siqueira, Soares, Souza, Tavares, Teixeira, Vasconcelos, Vieira, Xavier
`);
const POSITIONS = [
  ["São Paulo", "SP", "Vila Mariana", "Rua Domingos de Morais", "04010100"],
  ["Rio de Janeiro", "RJ", "Tijuca", "Rua Conde de Bonfim", "20520050"],
  ["Belo Horizonte", "MG", "Savassi", "Rua Pernambuco", "30130150"],
  ["Curitiba", "PR", "Água Verde", "Avenida República Argentina", "80240210"],
  ["Porto Alegre", "RS", "Menino Deus", "Avenida Getúlio Vargas", "90150005"],
  ["Salvador", "BA", "Pituba", "Avenida Manoel Dias da Silva", "41830001"],
  ["Recife", "PE", "Boa Viagem", "Rua dos Navegantes", "51021010"],
  ["Fortaleza", "CE", "Aldeota", "Avenida Santos Dumont", "60150160"],
  ["Goiânia", "GO", "Setor Bueno", "Avenida T-63", "74230100"],
  ["Florianópolis", "SC", "Trindade", "Rua Lauro Linhares", "88036001"],
] as const;

const surnames = (dice: Dice) => `${dice.pick(SURNAMES)} ${dice.pick(SURNAMES)}`;
const twoDigits = (number: number) => String(number).padStart(2, "0");
const bare = (text: string) =>
  text
    .normalize("NFD")
    .replaceAll(/[^a-zA-Z ]/g, "")
    .toLowerCase();

export const someName = (dice: Dice) => `${dice.pick(dice.chance(0.5) ? WOMEN : MEN)} ${surnames(dice)}`;
export const someMother = (dice: Dice) => `${dice.pick(WOMEN)} ${surnames(dice)}`;

export const someDate = (dice: Dice, fromYear: number, toYear: number) =>
  `${twoDigits(dice.int(1, 28))}-${twoDigits(dice.int(1, 12))}-${dice.int(fromYear, toYear)}`;

const somePhone = (dice: Dice) => `+55${dice.pick([11, 21, 31, 41, 51, 71, 81])}9${dice.int(10_000_000, 99_999_999)}`;

const mailbox = (name: string, domain: string) =>
  `${bare(name).split(" ").filter(Boolean).slice(0, 2).join(".")}@${domain}`;

function someAddress(dice: Dice) {
  const [city, state, neighborhood, street, postalCode] = dice.pick(POSITIONS);
  const complement = dice.chance(0.4) ? `Apto ${dice.int(11, 204)}` : "";
  return { postalCode, street, number: String(dice.int(10, 2_900)), complement, neighborhood, city, state };
}

function someLinks(dice: Dice) {
  const folder = `https://arquivos.example/${dice.int(100_000, 999_999)}`;
  const links = { documentLink: `${folder}/frente.jpg`, documentBackLink: `${folder}/verso.jpg` };
  return { ...links, selfieLink: `${folder}/selfie.jpg` };
}

export function somePerson(dice: Dice, documentNumber: string, fullName = someName(dice)): CreatePersonAccount {
  const email = mailbox(fullName, dice.pick(["exemplo.com.br", "correio.example", "mail.example"]));
  return {
    email,
    transactionPassword: String(dice.int(100_000, 999_999)),
    person: {
      fullName,
      documentNumber,
      phoneNumber: somePhone(dice),
      email,
      motherName: someMother(dice),
      birthDate: someDate(dice, 1955, 2005),
      isPoliticallyExposedPerson: dice.chance(0.03),
      address: { ...someAddress(dice), longitude: "-46.6333", latitude: "-23.5505" },
    },
    bankDocuments: someLinks(dice),
  };
}

const TRADES = list(`
  Padaria, Mercado, Farmácia, Oficina, Papelaria, Transportes, Construtora, Cafeteria, Distribuidora, Clínica,
  Confecções, Engenharia, Pet Shop, Móveis, Gráfica, Laticínios, Restaurante, Academia
`);
const NAMES = list(`
  Aurora do Vale, Bom Retiro, Estrela Guia, Ipê Amarelo, Serra Azul, Três Irmãos, Nova Esperança, Horizonte,
  São Bento, Vale Verde, Pedra Branca, Santa Clara, Beira Rio, Morada do Sol, Capim Dourado, Mandacaru, Jequitibá,
  Araucária, Buriti, Sabiá
`);

export function someCompanyName(dice: Dice) {
  const tradingName = `${dice.pick(TRADES)} ${dice.pick(NAMES)}`;
  return { tradingName, businessName: `${tradingName} ${dice.pick(["Ltda", "S.A.", "ME", "EIRELI"])}` };
}

export function somePartner(dice: Dice, documents: Documents) {
  const birthDate = someDate(dice, 1955, 1995);
  return { fullName: someName(dice), documentNumber: documents.cpf(), birthDate, motherName: someMother(dice) };
}

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

const digits = (dice: Dice, length: number) => Array.from({ length }, () => dice.int(0, 9)).join("");

/** Valid check digits, no repeats, and no magic document. */
export type Documents = {
  cpf: () => string;
  /** Letters in the root, as since July 2026. */
  cnpj: (withLetters?: boolean) => string;
  /** `001` to `004`. */
  magicCpf: (ending: string) => string;
};

const LETTERS = "BDFHKLMNPRTVXZ".split("");

const isPlain = (document: string) => magicOutcome(document) === "approve";

export function inventDocuments(dice: Dice, taken: readonly string[] = []): Documents {
  const given = new Set(taken);
  const fresh = (make: () => string, isFit: (document: string) => boolean): string => {
    for (let attempt = 0; attempt < 1_000; attempt += 1) {
      const document = make();
      if (given.has(document) || !isFit(document)) continue;
      given.add(document);
      return document;
    }
    throw new Error("no more documents to invent");
  };
  const root = (withLetters: boolean) =>
    withLetters
      ? `${digits(dice, 2)}${dice.pick(LETTERS)}${digits(dice, 1)}${dice.pick(LETTERS)}${dice.pick(LETTERS)}${digits(dice, 2)}`
      : digits(dice, 8);
  return {
    cpf: () => fresh(() => completeCpf(digits(dice, 9)), isPlain),
    cnpj: (withLetters = false) => fresh(() => completeCnpj(`${root(withLetters)}0001`), isPlain),
    magicCpf: (ending) =>
      fresh(
        () => completeCpf(`${digits(dice, 6)}${ending}`),
        () => true,
      ),
  };
}

export const KNOWN_HOLDER = { fullName: "Mariana Alves Ribeiro", documentNumber: completeCpf("417205638") } as const;
