const address = {
  postalCode: "01310100",
  street: "Avenida Paulista",
  number: "1000",
  complement: "",
  neighborhood: "Bela Vista",
  city: "São Paulo",
  state: "SP",
};

const pictures = {
  documentLink: "https://files.example/front.jpg",
  documentBackLink: "https://files.example/back.jpg",
  selfieLink: "https://files.example/selfie.jpg",
};

const applicant = { fullName: "Tereza Lemos", motherName: "Ana Lemos", birthDate: "07-05-1990", address };

/** Body of POST /v1/bank-accounts/create for a natural person. */
export const personForm = (documentNumber: string) => ({
  email: "tereza@example.com",
  transactionPassword: "123456",
  person: {
    ...applicant,
    documentNumber,
    phoneNumber: "+5511999990000",
    isPoliticallyExposedPerson: false,
  },
  bankDocuments: pictures,
});

/** Body of POST /v1/bank-accounts/create for a legal person. */
export const companyForm = (documentNumber: string) => ({
  email: "contato@example.com",
  transactionPassword: "123456",
  legalPerson: {
    businessName: "Padaria Lemos Ltda",
    tradingName: "Padaria Lemos",
    documentNumber,
    establishmentDate: "01-02-2015",
    owner: [applicant],
  },
  bankDocuments: { ...pictures, socialContractLink: "https://files.example/contract.pdf" },
});
