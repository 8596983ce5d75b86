const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPENING_BRACKET = 0x5b;
const CLOSING_BRACKET = 0x5d;
const OPENING_BRACE = 0x7b;
const CLOSING_BRACE = 0x7d;

/** Where the string that opens at `start` closes; past the text's end when it never does. */
function closingQuote(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let escapes = 0;
    while (text.charCodeAt(end - 1 - escapes) === BACKSLASH) escapes += 1;
    if (escapes % 2 === 0) return end;
  }
  return text.length;
}

/**
 * Whether the JSON nests more than `most` levels. Checked before parsing, which recurses once a level and would run out
 * of stack; linear in the text, which need not be valid.
 */
export function isTooDeep(text: string, most: number): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charCodeAt(at);
    if (character === QUOTE) at = closingQuote(text, at);
    else if (character === OPENING_BRACKET || character === OPENING_BRACE) {
      depth += 1;
      if (depth > most) return true;
    } else if (character === CLOSING_BRACKET || character === CLOSING_BRACE) depth -= 1;
  }
  return false;
}
