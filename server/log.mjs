// @ts-check
import { stripVTControlCharacters } from "node:util";

const MOST_CHARACTERS = 2_000;
const LEVELS = /** @type {const} */ ({ debug: 20, log: 30, info: 30, warn: 40, error: 50 });

/** One line in the console's log format. @param {number} level @param {string} msg @param {object} [more] */
export function writeLine(level, msg, more = {}) {
  process.stderr.write(`${JSON.stringify({ level, time: new Date().toISOString(), ...more, msg })}\n`);
}

/** Keeps a failed query's text without its parameters. @param {string} text */
const withoutParameters = (text) => text.split(/\n?\bparams: /i, 1)[0] ?? "";

/** @param {Error} error @returns {string} */
function saidBy(error) {
  const { name, message, stack = "", cause } = error;
  const frames = stack.split("\n").filter((line) => /^ +at /.test(line));
  const because = cause instanceof Error ? [`caused by ${saidBy(cause)}`] : [];
  return [`${name}: ${withoutParameters(message)}`, ...frames, ...because].join("\n");
}

/** The printed values as one text: of an object only its kind, as it may hold anything. @param {unknown[]} given */
function textOf(given) {
  const texts = given.map((one) => {
    if (one instanceof Error) return saidBy(one);
    return typeof one === "object" && one !== null
      ? `[${one.constructor?.name ?? "Object"}]`
      : withoutParameters(String(one));
  });
  return stripVTControlCharacters(texts.join(" ")).trim().slice(0, MOST_CHARACTERS);
}

/** Next and other packages print query parameters. */
export function logWhatIsPrinted() {
  for (const [method, level] of Object.entries(LEVELS)) {
    Object.assign(console, { [method]: (/** @type {unknown[]} */ ...given) => writeLine(level, textOf(given)) });
  }
}
