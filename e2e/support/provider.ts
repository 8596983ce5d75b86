import { z } from "zod";
import { Balance, History } from "@/lib/contract/accounts";
import { Token } from "@/lib/contract/auth";
import { type ChainFamily, type Network, WalletBalance, WalletCreated, CheckoutAddress } from "@/lib/contract/crypto";
import { losslessNumber, parseJson, stringifyJson } from "@/lib/contract/json";
import { KycList, KycStarted } from "@/lib/contract/kyc";
import { AccountRequested, OnboardingRecord } from "@/lib/contract/onboarding";
import { Subscriptions } from "@/lib/contract/webhooks";
import { note } from "./canary";

const STREET = { postalCode: "01310100", street: "Avenida Paulista", number: "1000", complement: "" };
const ADDRESS = { ...STREET, neighborhood: "Bela Vista", city: "São Paulo", state: "SP" };

const pictures = {
  documentLink: "https://files.example/front.jpg",
  documentBackLink: "https://files.example/back.jpg",
  selfieLink: "https://files.example/selfie.jpg",
};

const applicant = { fullName: "Tereza Lemos", motherName: "Ana Lemos", birthDate: "07-05-1990", address: ADDRESS };

/** Body of POST /v1/bank-accounts/create for a natural person. */
const personForm = (documentNumber: string, isPoliticallyExposedPerson: boolean) => ({
  email: "tereza@example.com",
  transactionPassword: "123456",
  person: { ...applicant, documentNumber, phoneNumber: "+5511999990000", isPoliticallyExposedPerson },
  bankDocuments: pictures,
});

/** Body of POST /v1/bank-accounts/create for a legal person. */
const companyForm = (documentNumber: string) => ({
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

/** The provider's URL, and the credentials to call it as the tenant and to control it. */
export type Access = { serviceUrl: string; clientId: string; clientSecret: string; controlToken: string };

export type Fault = { method: "GET" | "POST"; path: string; times: number } & (
  | { status: number; body?: unknown }
  | { delayMs: number }
  | { drop: true }
);

type KycStatus = "APPROVED" | "REPROVED" | "PROCESSING" | "PENDING";
export type Account = { onBoardingId: string; accountId: string; document: string };
type Credit = { amount: string; type?: "PIX" | "TED"; description?: string };
type Steering = {
  status?: "CONFIRMED" | "ERROR";
  biometricUrl?: string;
  messages?: { message: string; actionRequired?: boolean; url?: string }[];
};

const AccountInfo = z.object({ data: z.object({ status: z.string() }) });

const Deliveries = z.object({
  data: z.array(z.object({ event: z.string(), status: z.string(), createdAt: z.string() })),
});

const query = (given: Record<string, string>) => `?${new URLSearchParams(given)}`;

async function read(response: Response): Promise<unknown> {
  const text = await response.text();
  if (!response.ok) throw new Error(`${response.url} answered ${response.status}: ${text}`);
  return parseJson(text);
}

/** Calls the provider as another program of the tenant would, and controls it by its control routes. */
export function createProvider({ serviceUrl, clientId, clientSecret, controlToken }: Access) {
  let token: Promise<string> | undefined;
  const opened = new Set<string>();

  async function fetchToken(): Promise<string> {
    const basic = Buffer.from(`${clientId}:${clientSecret}`).toString("base64");
    const response = await fetch(`${serviceUrl}/v1/authentication/oauth/access-token`, {
      method: "POST",
      headers: { Authorization: `Basic ${basic}` },
    });
    const { access_token: fetched } = Token.parse(await read(response));
    note("bearer token", fetched);
    return fetched;
  }

  async function send(method: "GET" | "POST", path: string, body?: object): Promise<unknown> {
    token ??= fetchToken();
    const headers = {
      Authorization: `Bearer ${await token}`,
      "x-client-id": clientId,
      "content-type": "application/json",
    };
    return read(await fetch(serviceUrl + path, { method, headers, ...(body && { body: stringifyJson(body) }) }));
  }

  async function control(method: "GET" | "POST" | "DELETE", path: string, body?: object): Promise<unknown> {
    const headers = { Authorization: `Bearer ${controlToken}`, "content-type": "application/json" };
    const sent = body && { body: stringifyJson(body) };
    return read(await fetch(`${serviceUrl}/sandbox${path}`, { method, headers, ...sent }));
  }

  async function requestAccount(document: string, isExposed = false): Promise<string> {
    const form = document.length === 11 ? personForm(document, isExposed) : companyForm(document);
    const answer = AccountRequested.parse(await send("POST", "/v1/bank-accounts/create", form));
    return answer.data.body.onBoardingId;
  }

  const checkOnboarding = async (onBoardingId: string): Promise<OnboardingRecord["data"]> =>
    OnboardingRecord.parse(await send("GET", `/v1/bank-accounts/checkOnboarding${query({ onBoardingId })}`)).data;

  const steerOnboarding = (onBoardingId: string, steering: Steering) =>
    control("POST", `/onboardings/${onBoardingId}`, steering);

  const steerCase = (kycUUID: string, status: KycStatus, process?: "kyc-documentscopy") =>
    control("POST", `/kyc/${kycUUID}`, { status, ...(process && { process }) });

  /** The status in the provider's own list. */
  async function caseStatus(kycUUID: string): Promise<string | undefined> {
    const { result } = KycList.parse(await send("GET", `/v1/kyc/list${query({ kycUUID })}`));
    return result.find((record) => record.kycUUID === kycUUID)?.status;
  }

  return {
    clientId,
    clientSecret,
    caseStatus,
    requestAccount,
    checkOnboarding,
    steerOnboarding,
    steerCase,

    /** A pending case that only the story changes. */
    async openCase(vatNumber: string): Promise<string> {
      const person = { name: "Tereza Lemos", birthDate: "07-05-1990", motherName: "Ana Lemos" };
      const body = { backgroundcheckModel: "BASIC", vatNumber, ...person };
      const { kycUUID } = KycStarted.parse(await send("POST", "/v1/kyc/person", body)).data;
      await steerCase(kycUUID, "PENDING");
      opened.add(kycUUID);
      return kycUUID;
    },

    /** Approves the open cases that this story created. */
    async closeCases(): Promise<void> {
      for (const kycUUID of opened) if ((await caseStatus(kycUUID)) === "PENDING") await steerCase(kycUUID, "APPROVED");
      opened.clear();
    },

    /** The newest listed cases with this masked document. */
    async casesOf(masked: string): Promise<string[]> {
      const { result } = KycList.parse(await send("GET", `/v1/kyc/list${query({ limit: "100" })}`));
      return result.filter(({ vatNumber }) => vatNumber === masked).map(({ kycUUID }) => kycUUID);
    },

    async decideCase(kycUUID: string, decision: "APPROVED" | "REPROVED"): Promise<void> {
      await send("POST", "/v1/kyc/manual-decision", { kycUUID, decision, reason: "Conferido." });
    },

    /** An open account without money. */
    /** `isExposed`: of a politically exposed person. */
    async openAccount(document: string, { isExposed = false } = {}): Promise<Account> {
      const onBoardingId = await requestAccount(document, isExposed);
      await steerOnboarding(onBoardingId, { status: "CONFIRMED" });
      const { accountId } = (await checkOnboarding(onBoardingId)).body.account;
      if (accountId === null) throw new Error(`onboarding ${onBoardingId} has no account`);
      return { onBoardingId, accountId, document };
    },

    /** The status in the provider's own record of a person's account. */
    async accountStatus({ accountId, document }: Account): Promise<string> {
      const asked = query({ accountId, documentNumber: document });
      const info = await send("GET", `/v1/bank-accounts/getAccountInfoNaturalPerson${asked}`);
      return AccountInfo.parse(info).data.status;
    },

    async closeAccount({ accountId }: Account): Promise<void> {
      const told = { userId: "user-1", userAccessToken: "another program's", code: "918273", reason: "A pedido" };
      await send("POST", "/v1/bank-accounts/closeAccount", { ...told, account: accountId });
    },

    async credit({ accountId }: Account, { amount, ...rest }: Credit): Promise<string> {
      const credited = { amount: losslessNumber(amount), ...rest };
      const answer = await control("POST", `/bank-accounts/${accountId}/credit`, credited);
      return z.object({ data: z.object({ transactionId: z.string() }) }).parse(answer).data.transactionId;
    },

    async transfer(from: Account, to: Account, amount: string): Promise<void> {
      const sent = { accountIdFrom: from.accountId, accountIdTo: to.accountId, amount: losslessNumber(amount) };
      await send("POST", "/v1/bank-accounts/generateInternalTransferRequest", { userId: "user-1", ...sent });
    },

    async balance({ accountId, document }: Account): Promise<Balance["data"]> {
      const asked = query({ accountId, documentNumber: document });
      return Balance.parse(await send("GET", `/v1/bank-accounts/balance${asked}`)).data;
    },

    /** Every entry, up to one page. */
    async statement({ accountId, document }: Account) {
      const period = { initialDate: "2020-01-01", endDate: "2099-12-31", limit: "500" };
      const asked = query({ accountId, documentNumber: document, ...period });
      return History.parse(await send("GET", `/v1/bank-accounts/history${asked}`)).data.transactions;
    },

    /** The provider's own proof of its books. */
    async ledger(): Promise<unknown> {
      return z.object({ data: z.unknown() }).parse(await control("GET", "/ledger/check")).data;
    },

    async createWallet(network: ChainFamily): Promise<{ walletId: string; address: string }> {
      return WalletCreated.parse(await send("POST", "/v1/crypto/wallets", { network })).data;
    },

    async createCheckout(network: ChainFamily): Promise<{ address: string }> {
      return CheckoutAddress.parse(await send("POST", "/v1/crypto/checkout/address", { network })).data;
    },

    async deposit(deposit: { network: Network; address: string; amount: string }): Promise<void> {
      await control("POST", "/crypto/deposits", deposit);
    },

    async recordTrade(trade: {
      side: "BUY" | "SELL";
      network: Network;
      quantity: string;
      price: number;
    }): Promise<string> {
      const answer = await control("POST", "/otc/trades", { clientId, ...trade });
      return z.object({ data: z.object({ id: z.string() }) }).parse(answer).data.id;
    },

    async walletBalance(address: string, network: Network) {
      const asked = await send("GET", `/v1/crypto/wallets/${address}/balance${query({ network })}`);
      return WalletBalance.parse(asked).data;
    },

    /** Decides a held transfer as the antifraud analyst. */
    async decideHeld(antifraudId: string, decision: "RELEASE" | "REJECT"): Promise<void> {
      await control("POST", `/transactions/${antifraudId}`, { decision });
    },

    async returnTed(transactionId: string): Promise<void> {
      await control("POST", `/transactions/${transactionId}/return`, {});
    },

    /** The deliveries to the tenant's webhook, newest first. */
    async deliveries(): Promise<z.output<typeof Deliveries>["data"]> {
      return Deliveries.parse(await control("GET", `/deliveries${query({ clientId })}`)).data;
    },

    async subscriptions() {
      return Subscriptions.parse(await send("GET", "/v1/webhooks")).data;
    },

    /** Lets every delivery fail for so many seconds of the provider's clock; 0 ends it. */
    async silenceReceivers(seconds: number): Promise<void> {
      await control("POST", "/outage", { seconds });
    },

    async advanceClock(advanceSeconds: number): Promise<void> {
      await control("POST", "/clock", { advanceSeconds });
    },

    /** Plans faults for the next requests of that route. Every request counts, so only for a story's own product. */
    async fail(fault: Fault): Promise<void> {
      await control("POST", "/faults", fault);
    },

    async recover(): Promise<void> {
      await control("DELETE", "/faults");
    },
  };
}

export type Provider = ReturnType<typeof createProvider>;
