import type { ReactNode } from "react";

export function DescriptionList({ children }: { children: ReactNode }) {
  return <dl className="facts">{children}</dl>;
}

type DescribedProps = { name: string; /** The source of the value. */ title?: string; children: ReactNode };

export function Described({ name, title, children }: DescribedProps) {
  return (
    <>
      <dt title={title}>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}
