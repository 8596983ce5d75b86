// @ts-check
import { stripVTControlCharacters } from "node:util";

const MOST_CHARACTERS = 2_000;
const LEVELS = /** @type {const} */ ({ debug: 20, log: 30, info: 30, warn: 40, error: 50 });

/** One line, in the form of the console's other lines. @param {number} level @param {string} msg @param {object} [more] */
export function writeLine(level, msg, more = {}) {
  process.stderr.write(`${JSON.stringify({ level, time: new Date().toISOString(), ...more, msg })}\n`);
}

/** Of a query that failed, what was asked is said, and not what it was asked with. @param {string} text */
const withoutParameters = (text) => text.split(/\n?\bparams: /i, 1)[0] ?? "";

/** @param {Error} error @returns {string} */
function saidBy(error) {
  const { name, message, stack = "", cause } = error;
  const frames = stack.split("\n").filter((line) => /^ +at /.test(line));
  const because = cause instanceof Error ? [`caused by ${saidBy(cause)}`] : [];
  return [`${name}: ${withoutParameters(message)}`, ...frames, ...because].join("\n");
}

/** What was printed, as one text: objects say only of what kind they are, for nobody knows what they hold. @param {unknown[]} given */
function textOf(given) {
  const texts = given.map((one) => {
    if (one instanceof Error) return saidBy(one);
    return typeof one === "object" && one !== null
      ? `[${one.constructor?.name ?? "Object"}]`
      : withoutParameters(String(one));
  });
  return stripVTControlCharacters(texts.join(" ")).trim().slice(0, MOST_CHARACTERS);
}

/** Next and other packages print what queries were asked with. */
export function logWhatIsPrinted() {
  for (const [method, level] of Object.entries(LEVELS)) {
    Object.assign(console, { [method]: (/** @type {unknown[]} */ ...given) => writeLine(level, textOf(given)) });
  }
}
