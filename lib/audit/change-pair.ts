const capital = (word: string) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`;

/** A value before and after, as the record's detail names them: `fromRule`, `toRule`. */
export const changePair = <Value>(part: string, before: Value, after: Value): [string, Value][] => [
  [`from${capital(part)}`, before],
  [`to${capital(part)}`, after],
];
