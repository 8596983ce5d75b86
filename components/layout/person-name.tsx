/** A person, or a sentence about one: on the screen that it is whoever reads (`you`), on paper always the name. */
export function PersonName({ name, you }: { name: string; you: string | null }) {
  return (
    <>
      {you === null ? null : <span className="print:hidden">{you}</span>}
      <bdi className={you === null ? undefined : "hidden print:inline"}>{name}</bdi>
    </>
  );
}
