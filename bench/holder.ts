import { completeCpf } from "@/lib/contract/document";

const link = "https://files.example/document.png";

/** A CPF of its own for each number below a million; none ends, before its check digits, as the simulated checks refuse or delay. */
export const documentOf = (number: number) => completeCpf(`${100_000 + number}500`);

/** A request for a natural person's account as the interface words it. */
export const accountRequest = (documentNumber: string) => ({
  email: "holder@example.com",
  transactionPassword: "123456",
  person: {
    fullName: "Ana Beatriz Souza",
    documentNumber,
    phoneNumber: "+5511999990000",
    motherName: "Maria Souza",
    birthDate: "07-05-1990",
    isPoliticallyExposedPerson: false,
    address: { city: "São Paulo", state: "SP" },
  },
  bankDocuments: { documentLink: link, documentBackLink: link, selfieLink: link },
});
