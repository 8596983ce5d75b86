"use client";

import { type ReactNode, useEffect, useRef } from "react";

type StageProps = { title: string; lead: string; children?: ReactNode };

export function Stage({ title, lead, children }: StageProps) {
  return (
    <>
      <Heading key={title} title={title} />
      <p className="mt-1.5 mb-6 text-muted wrap-anywhere">{lead}</p>
      {children}
    </>
  );
}

/** Screen readers are taken to the title of each step. */
function Heading({ title }: { title: string }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <h1 ref={heading} tabIndex={-1} className="text-xl font-semibold wrap-anywhere outline-none">
      {title}
    </h1>
  );
}
