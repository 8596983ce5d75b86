/** False where the browser does not let it; over plain http it has no clipboard. */
export async function copyText(text: string): Promise<boolean> {
  const written = navigator.clipboard?.writeText(text).then(
    () => true,
    () => false,
  );
  return (await written) ?? false;
}
