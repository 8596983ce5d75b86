import { PAYLOADS } from "./payload-list";
import { type Carried, type Marks, targetIn, TEXTS } from "./payload-marks";

/** Which copy of an entry that people see one by one is meant. */
export type Copy = {
  /** Where the payloads of all its texts begin; none: in each field where its next text does. */
  turn?: number;
  isSecond: boolean;
};

export type Answer = Copy &
  Pick<Carried, "count"> & {
    marks: Marks;
    /** Only the entries that say this are in lists of onboardings; null: nothing is in any list yet. */
    only: string | null;
    /** What says one of these stays as it is. */
    spared: readonly string[];
    /** It is not the first page: all there is stood on that. */
    isFurther: boolean;
  };

/** Lists whose entries people see one by one: each becomes as many as it takes to say every payload. */
const LISTS = /\.(result|transactions|messages|accounts|data)$/;
/** Also where it is told of one that is a copy itself. */
const LISTS_OF_COPIES = /\.transactions$/;
/** Without an address, which carries but one payload, in their entries or in what is told of each. */
const WITHOUT_ADDRESS = /\/crypto\/wallets\.data$|\.transactions$/;
/** Of some there are second copies. */
const SECONDS: readonly (readonly [list: RegExp, copies: number])[] = [
  [/\/getAccounts\.data\.accounts$/, TEXTS],
  [/\/crypto\/wallets\.data$/, TEXTS],
  [/\/kyc\/list\.result$/, PAYLOADS.length],
];
/**
 * Of what is there twice the first copy says here what lets it be asked about any further (by default what it said), and the
 * second one carries a payload.
 */
const SAID_FIRST: Readonly<Record<string, string | undefined>> = {
  "/v1/crypto/wallets.data.network": undefined,
  "/v1/bank-accounts/checkOnboarding.data.status": "PROCESSING",
};
/** Where this is told, what is told elsewhere of the same is not looked at: the second copy leaves it out. */
const LEFT_OUT_SECOND = ["/v1/kyc/list.result.webviewUrl"];
const SECOND = "~2";
/** So many entries of a list are copied, by turns: what comes to it meanwhile makes no others. */
const MOST_COPIED = 10;
const MARKED = /^(.*?)(~2)?~q\d+z\d+q/s;

/** What answers may say besides: the real provider leaves some of it out, and every field is to have every payload. */
const BESIDES: Readonly<Record<string, object | undefined>> = {
  "/v1/kyc/list.result": { webviewUrl: "", webviewUrls: [{ vatNumber: "***", url: "" }] },
  "/v1/crypto/wallets.data": { userId: "usr-1", reference: "pedido-1" },
  "/v1/crypto/wallets/*/balance.data": { type: "native", tokenAddress: "0x1" },
  "/v1/bank-accounts/checkOnboarding.data.body": {
    messages: [
      { id: "m-1", date: "hoje", message: "Envie outra foto.", status: "sent", actionRequired: true, url: "" },
    ],
  },
};

const says = (entry: unknown, texts: readonly string[]) => texts.some((text) => JSON.stringify(entry).includes(text));

function copiesOf(entries: readonly unknown[], field: string, answer: Answer): unknown[] {
  const { only, spared, isFurther } = answer;
  if (isFurther || only === null) return [];
  const stored = entries.filter((entry) => says(entry, spared));
  const others = entries.filter((entry) => !stored.includes(entry));
  const about = field.endsWith(".accounts") ? others.filter((entry) => says(entry, [only])) : others;
  const listed = about.slice(0, MOST_COPIED);
  const each = WITHOUT_ADDRESS.test(field) ? TEXTS : PAYLOADS.length;
  const [, seconds = 0] = SECONDS.find(([list]) => list.test(field)) ?? [];
  const length = listed.length === 0 ? 0 : each + seconds;
  const copies = Array.from({ length }, (_, nth) =>
    tamper(listed[(nth % each) % listed.length], field, { ...answer, turn: nth % each, isSecond: nth >= each }),
  );
  return [...stored, ...copies];
}

function tamperText(text: string, field: string, answer: Answer): string {
  const { marks, turn, count, isSecond } = answer;
  if (field in SAID_FIRST && !isSecond) return SAID_FIRST[field] ?? text;
  return marks.put(field, isSecond ? text + SECOND : text, {
    isAddress: /url$/i.test(field),
    ...(turn !== undefined && { turn }),
    ...(count !== undefined && { count }),
  });
}

/** Every text of an answer with payloads; of a list, each entry with others. */
export function tamper(value: unknown, field: string, answer: Answer): unknown {
  if (answer.isSecond && LEFT_OUT_SECOND.includes(field)) return null;
  if (Array.isArray(value)) {
    const isList = answer.turn === undefined ? LISTS.test(field) : LISTS_OF_COPIES.test(field);
    return isList ? copiesOf(value, field, answer) : value.map((one) => tamper(one, field, answer));
  }
  if (typeof value === "object" && value !== null) {
    const entries = Object.entries({ ...BESIDES[field], ...value });
    return Object.fromEntries(entries.map(([name, one]) => [name, tamper(one, `${field}.${name}`, answer)]));
  }
  const text = value === null && /url$/i.test(field) ? "" : value;
  return typeof text === "string" ? tamperText(text, field, answer) : text;
}

/** What the real provider is to be asked, and which copy in its answer is meant. */
export function readAsked(url: string, serviceUrl: string): { asked: URL; path: string; copy: Copy } {
  const asked = new URL(url, serviceUrl);
  const copy: Copy = { isSecond: false };
  const plain = (text: string) => {
    const [, real, second] = MARKED.exec(text) ?? [];
    const turn = targetIn(text);
    if (real === undefined || turn === null) return text;
    // The first one is what is asked about, the others say whose it is.
    if (copy.turn === undefined) Object.assign(copy, { turn, isSecond: second !== undefined });
    return real;
  };
  const parameters = Object.entries(Object.fromEntries(asked.searchParams));
  for (const [name, value] of parameters) asked.searchParams.set(name, plain(value));
  const segments = asked.pathname.split("/").map((segment) => plain(decodeURIComponent(segment)));
  asked.pathname = segments.map((segment) => encodeURIComponent(segment)).join("/");
  return { asked, path: segments.join("/"), copy };
}
