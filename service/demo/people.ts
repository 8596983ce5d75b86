import type { CreatePersonAccount } from "@/lib/contract/onboarding";
import { type Dice, list } from "./dice";

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
const PLACES = [
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

/** A full name as one reads it in Brazil. */
export const someName = (dice: Dice) => `${dice.pick(dice.chance(0.5) ? WOMEN : MEN)} ${surnames(dice)}`;
export const someMother = (dice: Dice) => `${dice.pick(WOMEN)} ${surnames(dice)}`;

/** A civil date as bodies carry it, `DD-MM-YYYY`. */
export const someDate = (dice: Dice, fromYear: number, toYear: number) =>
  `${twoDigits(dice.int(1, 28))}-${twoDigits(dice.int(1, 12))}-${dice.int(fromYear, toYear)}`;

export const somePhone = (dice: Dice) =>
  `+55${dice.pick([11, 21, 31, 41, 51, 71, 81])}9${dice.int(10_000_000, 99_999_999)}`;

export const mailbox = (name: string, domain: string) =>
  `${bare(name).split(" ").filter(Boolean).slice(0, 2).join(".")}@${domain}`;

export function someAddress(dice: Dice) {
  const [city, state, neighborhood, street, postalCode] = dice.pick(PLACES);
  const complement = dice.chance(0.4) ? `Apto ${dice.int(11, 204)}` : "";
  return { postalCode, street, number: String(dice.int(10, 2_900)), complement, neighborhood, city, state };
}

export function someLinks(dice: Dice) {
  const folder = `https://arquivos.example/${dice.int(100_000, 999_999)}`;
  const links = { documentLink: `${folder}/frente.jpg`, documentBackLink: `${folder}/verso.jpg` };
  return { ...links, selfieLink: `${folder}/selfie.jpg` };
}

/** A whole request for a natural person's account. */
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
