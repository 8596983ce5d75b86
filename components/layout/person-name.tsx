/** `you` on screens; null on paper, which always prints the name. */
export function PersonName({ name, you }: { name: string; you: string | null }) {
  return (
    <>
      {you === null ? null : <span className="print:hidden">{you}</span>}
      <bdi className={you === null ? undefined : "hidden print:inline"}>{name}</bdi>
    </>
  );
}
