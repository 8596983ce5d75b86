import { ProviderParts } from "./provider-text";

/** A longer number wraps, since no column holds it. */
const MAX_UNBROKEN = 26;

/** Wraps before the unit, not within the number. */
export function Amount({ number, unit = "" }: { number: string; unit?: string }) {
  return (
    <bdi>
      <span className={number.length > MAX_UNBROKEN ? undefined : "whitespace-nowrap"}>
        <ProviderParts text={number} />
      </span>
      {unit === "" ? null : " "}
      <ProviderParts text={unit} />
    </bdi>
  );
}
