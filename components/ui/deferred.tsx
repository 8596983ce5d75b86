import { type ComponentType, useEffect, useState } from "react";

type Standing<Props> = { Ready: ComponentType<Props> } | { failure: unknown };

/**
 * A component whose code comes when it is first shown, or earlier when `load` was called before. Unlike a lazy one it never
 * suspends: React keeps what follows a fallback back for 300 ms, also where the code was there at once.
 */
export function deferred<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  let known: Standing<Props> | null = null;
  return function Deferred(props: Props) {
    const [standing, setStanding] = useState(known);
    useEffect(() => {
      if (standing !== null) return;
      let isGone = false;
      const settle = (told: Standing<Props>) => {
        if ("Ready" in told) known = told;
        if (!isGone) setStanding(told);
      };
      load().then(
        (Ready) => settle({ Ready }),
        (failure: unknown) => settle({ failure }),
      );
      return () => {
        isGone = true;
      };
    }, [standing]);
    if (standing === null) return null;
    if ("failure" in standing) throw standing.failure;
    return <standing.Ready {...props} />;
  };
}
