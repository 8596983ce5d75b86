import { z } from "zod";
import { encodeBase58Check, familyOf, isChainAddress, XRPL_ACCOUNT_ID } from "@/lib/contract/addresses";
import { xrplAccount } from "@/lib/contract/address-bytes";
import {
  CHAIN_FAMILIES,
  type ChainFamily,
  CryptoTransfer,
  FAMILY_NETWORKS,
  type Network,
  NETWORKS,
} from "@/lib/contract/crypto";
import { type Loss, LOSSES, lossAt } from "@/lib/contract/lost-addresses";
import { maskWithin } from "@/lib/contract/document";
import { pasted } from "@/lib/contract/fold";
import { CryptoAmount, isStorable, Required } from "@/lib/contract/shared";
import { CsvText } from "@/lib/text/field-rules";
import { FilterDay, FilterMinute, lenient, SearchId, SearchText } from "@/lib/text/filter";
import { PERIODS, settlePeriod } from "@/lib/text/period";
import { readCoins } from "@/lib/text/typed-amount";
import { UnreadEntries } from "@/lib/text/shown-body";
import { SEND_STATES, SEND_VIEWS } from "./sends-view";
import { HOLDINGS, isMiddleSix, LABEL_MAX, LOOK_ALIKES_MAX, LISTED_USES, MOVED, RECEIVED, REFERENCE_MAX } from "./view";
import { WALLET_USES } from "@/lib/db/enums/wallets";

const SCHEME = /^(?:web\+)?(?:bitcoin|ethereum|polygon|bsc|bnb|tron|solana|xrpl|xrp|ripple):(?:\/\/)?(?:pay-)?/i;
const CHAIN_AND_ACCOUNT = /^[a-z\d-]{3,8}:[\w-]{1,64}:(?=[\da-z]{20})/i;
const TRON_IN_HEX = /^(?:0x)?41[\da-f]{40}$/i;
const EVM_WITHOUT_PREFIX = /^[\da-f]{40}$/i;
const BECH32_IN_CAPITALS = /^BC1[\dA-Z]+$/;
const XRPL_WITH_TAG = /^(r[1-9A-HJ-NP-Za-km-z]{24,34})(?![1-9A-HJ-NP-Za-km-z]).+$/;
const XRPL_X_ADDRESS = /^X[1-9A-HJ-NP-Za-km-z]{46}$/;

const hexBytes = (hex: string) => Uint8Array.from(hex.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));

function classicOf(xAddress: string): string | null {
  const account = xrplAccount(xAddress);
  return account === null ? null : encodeBase58Check(Uint8Array.from([XRPL_ACCOUNT_ID, ...account]), "xrpl");
}

function recipientIn(uri: string): string | null {
  const [, query] = uri.split(/\/transfer\?/i);
  return query === undefined ? null : new URLSearchParams(query).get("address");
}

/** The pasted address without URI, network and tag, bech32 in lower case; other text, or a part, stays as it is. */
export function pastedAddress(text: string): string {
  const whole = pasted(text);
  const isUri = SCHEME.test(whole);
  const bare = isUri
    ? (recipientIn(whole) ?? whole.replace(SCHEME, "").split(/[?/@]/)[0] ?? "")
    : whole.replace(CHAIN_AND_ACCOUNT, "");
  if (TRON_IN_HEX.test(bare)) return encodeBase58Check(hexBytes(bare.replace(/^0x/i, "")), "bitcoin");
  if (EVM_WITHOUT_PREFIX.test(bare)) return `0x${bare}`;
  if (BECH32_IN_CAPITALS.test(bare)) return bare.toLowerCase();
  if (XRPL_X_ADDRESS.test(bare)) return classicOf(bare) ?? bare;
  return bare.replace(XRPL_WITH_TAG, "$1");
}

const AssetName = z
  .string()
  .trim()
  .min(1)
  .max(40)
  .regex(/[A-Za-z]/);

/** Filter in the address; bad values become the default. */
export const WalletFilter = z.object({
  network: lenient(z.enum(CHAIN_FAMILIES)),
  use: lenient(z.enum(LISTED_USES)),
  /** The provider's user id. */
  user: lenient(SearchId),
  asset: lenient(AssetName),
  holding: lenient(z.enum(HOLDINGS)),
  moved: lenient(z.enum([...MOVED, ...RECEIVED])),
  /** Newest first without it. */
  sort: lenient(z.enum(["moved"])),
  /** Part of the address or of the label, or the id. */
  search: lenient(z.string().transform(pastedAddress).pipe(SearchId.or(SearchText))),
  page: z.coerce.number().int().min(1).catch(1),
});
export type WalletFilter = z.output<typeof WalletFilter>;

/** `from` and `to` in São Paulo minutes, both included. */
export const HistoryFilter = z
  .object({
    network: lenient(z.enum(NETWORKS)),
    search: lenient(z.string().transform(pastedAddress).pipe(SearchId)),
    period: lenient(z.enum(PERIODS)),
    from: lenient(FilterMinute),
    to: lenient(FilterMinute),
    page: z.coerce.number().int().min(1).catch(1),
  })
  .transform((filter) => settlePeriod(filter, filter.period));
export type HistoryFilter = z.output<typeof HistoryFilter>;

const hasNoDocument = (text: string) => maskWithin(text) === text;

export const Label = z
  .string()
  .trim()
  .max(LABEL_MAX)
  .refine(isStorable, { params: { code: "characters" } })
  .refine(hasNoDocument, { params: { code: "no-document" } });

const WalletId = z.string().min(1).max(200).refine(isStorable);

/** Empty: no label; null: as the provider gives it. */
export const Labelling = z.object({
  walletId: WalletId,
  label: Label,
  use: z.enum(WALLET_USES).nullable(),
});
export type Labelling = z.output<typeof Labelling>;

/** Of one wallet, with the label and the use that the person saw. */
export const LabelOrder = Labelling.extend({
  seen: z.strictObject({ label: z.string().max(LABEL_MAX).nullable(), use: z.enum(WALLET_USES).nullable() }),
});
export type LabelOrder = z.output<typeof LabelOrder>;

const SendCursor = z.string().regex(/^\d{1,15}-[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/);

const Sends = z.object({
  view: z.enum(SEND_VIEWS).catch("all"),
  state: lenient(z.enum(SEND_STATES)),
  /** Who ordered it: the reader, or a person by their id. */
  who: lenient(z.union([z.literal("me"), z.uuid()])),
  period: lenient(z.enum(PERIODS)),
  /** Days of São Paulo, both included. */
  from: lenient(FilterDay),
  to: lenient(FilterDay),
  wallet: lenient(WalletId),
  network: lenient(z.enum(NETWORKS)),
  asset: lenient(AssetName),
  /** The whole address that is paid, the whole hash, or the id. */
  search: lenient(z.string().transform(pastedAddress).pipe(SearchId)),
  before: lenient(SendCursor),
  after: lenient(SendCursor),
});

/** The list's filter in the address; bad values become the default. Dates stand before a period, as an address has no order. */
export const SendFilter = Sends.transform((filter) => settlePeriod(filter, filter.period));
export type SendFilter = z.output<typeof SendFilter>;

const FILE_MAX_LENGTH = 500_000;

export const WalletFile = z.object({ csv: CsvText.max(FILE_MAX_LENGTH) });

export const WALLETS_WATCH = "wallets";

export const WalletWalk = z
  .object({
    offset: z.int().min(0),
    had: z.array(z.string()),
    end: z.enum(["empty", "repeated"]).nullable(),
    unread: UnreadEntries,
    /** Of the last complete walk; `front`: a hash of its first page. */
    length: z.int().min(0).catch(0),
    front: z.string().nullable().catch(null),
    walkedAt: z.iso.datetime().nullable().catch(null),
  })
  .catch({ offset: 0, had: [], end: null, unread: [], length: 0, front: null, walkedAt: null });

export type WalletWalk = z.output<typeof WalletWalk>;

/** The similar ones shown, by intent or by hash. */
const Seen = z.array(z.string().max(200)).max(100).default([]);

const SeenAlike = z.array(z.string().max(200)).max(LOOK_ALIKES_MAX).default([]);

export const CryptoOrder = z.object({
  ...CryptoTransfer.shape,
  walletId: z.string(),
  intentId: z.uuid(),
  seen: Seen,
  seenAlike: SeenAlike,
});
export type CryptoOrder = z.output<typeof CryptoOrder>;

/** Coins as people write them: `0,5`, `1.234,5678`. */
const TypedCoins = Required.max(120).transform((typed, context) => {
  const read = readCoins(typed);
  const amount = CryptoAmount.safeParse(read);
  if (amount.success) return amount.data;
  const isNone = read !== null && !/[1-9]/.test(read);
  const code = read === "ambiguous" ? "coins-ambiguous" : isNone ? "amount-positive" : "coins";
  context.addIssue({ code: "custom", params: { code } });
  return z.NEVER;
});

/** A typed transfer of coins. */
const sending = {
  walletId: WalletId,
  network: z.string().pipe(z.enum(NETWORKS)),
  /** As the wallet's balance names it; empty for the network's coin. */
  token: z.string().max(200).refine(isStorable),
  /** Without parsing: a link or a tag says more than the provider would receive. */
  to: z.string().transform(pasted).pipe(Required.max(200).refine(isStorable)),
  amount: TypedCoins,
};

const Destination = z.object({ network: sending.network, to: sending.to });

/** Reported even while other fields are empty. */
const onItsNetwork = {
  path: ["to"],
  params: { code: "chain-address" },
  when: ({ value }: { value: unknown }) => Destination.safeParse(value).success,
};
const isOnItsNetwork = ({ network, to }: z.output<typeof Destination>) => isChainAddress(network, to);

export const LOSS_CODES = {
  nobody: "burn-address",
  anybody: "anybody-address",
  network: "network-address",
  token: "token-address",
} as const satisfies Record<Loss, string>;

/** A form whose address belongs to its network and does not lose coins. */
const arriving = <Form extends z.ZodType<z.output<typeof Destination>>>(form: Form): Form =>
  LOSSES.reduce(
    (checked, loss) =>
      checked.refine(({ network, to }) => lossAt(familyOf(network), to) !== loss, {
        ...onItsNetwork,
        params: { code: LOSS_CODES[loss] },
      }),
    form.refine(isOnItsNetwork, onItsNetwork),
  );

export const SendForm = arriving(z.strictObject(sending));
export type SendForm = z.output<typeof SendForm>;

export const SendOrder = arriving(
  z.strictObject({
    ...sending,
    intentId: z.uuid(),
    middleSix: Required,
    seen: Seen,
    seenAlike: SeenAlike,
  }),
).refine(({ to, middleSix }) => isMiddleSix(to, middleSix), { path: ["middleSix"], params: { code: "middle-six" } });
export type SendOrder = z.output<typeof SendOrder>;

export function isFamily(name: string): name is ChainFamily {
  return CHAIN_FAMILIES.some((family) => family === name);
}

export function networksOf(family: string): readonly Network[] {
  return isFamily(family) ? FAMILY_NETWORKS[family] : [];
}

/** Never a possible document, as it is sent to the provider and appears in URLs. */
const REFERENCE = /^[\p{N} .:@/#+_-]*\p{L}[\p{L}\p{N} .:@/#+_-]*$|^\d{1,8}$/u;

/** Two spellings that look alike are one reference: it is found by the hash of its text. */
const Reference = z
  .string()
  .transform((text) => pasted(text).replaceAll(/\p{White_Space}/gu, " "))
  .pipe(
    Required.max(REFERENCE_MAX)
      .refine((text) => REFERENCE.test(text), { params: { code: "reference" } })
      .refine((text) => maskWithin(text) === text, { params: { code: "no-identifier" } }),
  );

const Optional = z
  .string()
  .trim()
  .transform((text) => (text === "" ? null : text))
  .pipe(Reference.nullable());

export const WalletOrder = z.strictObject({
  intentId: z.uuid(),
  family: z.enum(CHAIN_FAMILIES),
  isForward: z.boolean(),
  customer: Optional,
});
export type WalletOrder = z.output<typeof WalletOrder>;

export const AddressOrder = z.strictObject({
  intentId: z.uuid(),
  family: z.enum(CHAIN_FAMILIES),
  reference: Reference,
  customer: Optional,
  /** The person has seen that the reference already has an address. */
  isAnother: z.boolean().optional(),
});
export type AddressOrder = z.output<typeof AddressOrder>;

export const WalletReconciliation = z.strictObject({
  intentId: z.uuid(),
  walletId: z.string().transform(pasted).pipe(Required.max(200)),
});
export type WalletReconciliation = z.output<typeof WalletReconciliation>;

/** Filter from the URL; invalid values become the default. */
export const AddressFilter = z.object({
  /** A part of reference, customer or address, in any case; or the id of the order. */
  search: lenient(Reference),
  page: z.coerce.number().int().min(1).catch(1),
});
export type AddressFilter = z.output<typeof AddressFilter>;
