/** A person; who reads on the screen that it is themselves (`you`), and who holds the paper reads the name. */
export function PersonName({ name, you }: { name: string; you: string | null }) {
  return (
    <>
      {you === null ? null : <span className="print:hidden">{you}</span>}
      <bdi className={you === null ? undefined : "hidden print:inline"}>{name}</bdi>
    </>
  );
}
