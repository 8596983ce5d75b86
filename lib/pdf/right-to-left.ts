import bidiFactory, { type EmbeddingLevels } from "bidi-js";

const bidi = bidiFactory();
const NBSP = "\u00A0";
const LETTER = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

/** pdfkit cannot lay such text out, as it does not reorder words. */
export const holdsRightToLeft = (text: string): boolean => LETTER.test(text);

/** pdfkit reverses text with a right-to-left letter, and splits it at its spaces. */
function asLaidOut(run: string, isBackward: boolean): string {
  const signs = Array.from(run, (sign) => (isBackward ? (bidi.getMirroredCharacter(sign) ?? sign) : sign));
  return (LETTER.test(run) === isBackward ? signs : signs.toReversed()).join("").replaceAll(" ", NBSP);
}

type Stretch = { from: number; to: number };

function piecesOf(text: string, embedding: EmbeddingLevels, { from, to }: Stretch): string[] {
  const end = from + text.slice(from, to).trimEnd().length;
  if (end === from) return [];
  const { levels } = embedding;
  const order = bidi.getReorderedIndices(text, embedding, from, end - 1).slice(from, end);
  const runs: { level: number; first: number; last: number; length: number }[] = [];
  for (const at of order) {
    const run = runs.at(-1);
    const level = levels[at] ?? 0;
    if (run !== undefined && run.level === level && Math.abs(at - run.last) === 1) {
      run.last = at;
      run.length += 1;
    } else runs.push({ level, first: at, last: at, length: 1 });
  }
  return runs.map(({ level, first, last, length }) => {
    const start = Math.min(first, last);
    return asLaidOut(text.slice(start, start + length), level % 2 === 1);
  });
}

const signs = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** Possible line ends: after spaces, and within a word that is too long by itself. */
function endsIn(text: string, fits: (word: string) => boolean): number[] {
  return Array.from(text.matchAll(/\S*\s*/g)).flatMap(({ 0: word, index }) =>
    fits(word.trimEnd())
      ? [index + word.length]
      : Array.from(signs.segment(word), ({ segment, index: at }) => index + at + segment.length),
  );
}

/** The lines that fit the width, each as pieces from left to right. */
export function linesOf(text: string, width: number, widthOf: (piece: string) => number): string[][] {
  const fits = (pieces: readonly string[]) => pieces.reduce((sum, piece) => sum + widthOf(piece), 0) <= width;
  return text.split("\n").flatMap((paragraph) => {
    const embedding = bidi.getEmbeddingLevels(paragraph);
    const piecesIn = (stretch: Stretch) => piecesOf(paragraph, embedding, stretch);
    const lines: string[][] = [];
    let from = 0;
    let to = 0;
    for (const end of endsIn(paragraph, (word) => fits([word]))) {
      if (to > from && !fits(piecesIn({ from, to: end }))) {
        lines.push(piecesIn({ from, to }));
        from = to;
      }
      to = end;
    }
    return [...lines, piecesIn({ from, to })];
  });
}
