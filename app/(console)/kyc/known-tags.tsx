/** What an input suggests: the tags in use. */
export function KnownTags({ id, tags }: { id: string; tags: readonly string[] }) {
  return (
    <datalist id={id}>
      {tags.map((tag) => (
        <option key={tag}>{tag}</option>
      ))}
    </datalist>
  );
}
