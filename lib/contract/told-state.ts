import { findIn, plainName, stateWordsIn } from "./open-answer";

/** DONE: a known word of completion, or none at all (empty); REFUSED: a known word of refusal; OPEN: any other. */
export type ToldState = {
  is: "DONE" | "REFUSED" | "OPEN";
  word: string;
  message: string;
};

/** `TED_EFETIVADA` means the same as `EFETIVADA`. */
const SUBJECT =
  /^(?:ted|transferencia|transfer|transaction|transacao|payment|pagamento|operation|operacao|request|pedido)/;
const COMPLETED =
  /^(?:confirmed|completed?|done|executed|settled|booked|posted|paid|succeeded|(?:confirmad|concluid|executad|efetivad|efetuad|liquidad|realizad|pag)[ao])$/;
const REFUSED =
  /^(?:rejected|refused|failed|failure|declined|denied|reproved|cancell?ed|(?:recusad|rejeitad|negad|reprovad|cancelad)[ao]|falh(?:a|ou|ad[ao]))$/;
const RELEASED = /^(?:released|approved|(?:liberad|aprovad)[ao])$/;
const EXPIRED = /^(?:expired|timedout|(?:expirad|vencid)[ao])$/;

const ownWord = (word: string) => plainName(word).replace(SUBJECT, "");

export const isCompletion = (word: string): boolean => COMPLETED.test(ownWord(word));
export const saysRefused = (word: string): boolean => REFUSED.test(ownWord(word));
export const isRelease = (word: string): boolean => RELEASED.test(ownWord(word));
export const isExpiry = (word: string): boolean => EXPIRED.test(ownWord(word));

export function stateIn(answer: unknown, isDone: (word: string) => boolean = isCompletion): ToldState {
  const words = stateWordsIn(answer).map(
    (told) => told.find((one) => isDone(one) || saysRefused(one)) ?? told[0] ?? "",
  );
  const word = words.find((one) => !isDone(one)) ?? words[0] ?? "";
  const isRefused = word !== "" && words.every((one) => saysRefused(one));
  const is = words.every((one) => isDone(one)) ? "DONE" : isRefused ? "REFUSED" : "OPEN";
  return { is, word, message: findIn(answer, "message")?.text ?? "" };
}
