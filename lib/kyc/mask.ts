const bare = (text: string) => text.replaceAll(/[\s./-]/g, "").toUpperCase();

/** Whether what the provider shows of a document, whichever part that is, is of this one: every sign of it that it shows. */
export function fitsMask(document: string, masked: string): boolean {
  const shown = bare(masked);
  if (shown.length !== document.length || !/[0-9]/.test(shown)) return false;
  // An X may hide a sign, and in a CNPJ it may be one.
  return Array.from(shown).every((sign, place) => !/[0-9A-WYZ]/.test(sign) || sign === document[place]);
}
