import type { ReactNode, RefObject } from "react";
import { tellLeft } from "./left-fields";

type ReviewedFormProps = {
  ref: RefObject<HTMLFormElement | null>;
  heading?: ReactNode;
  notice?: ReactNode;
  status?: ReactNode;
  summary: ReactNode;
  actions: ReactNode;
  onSubmit: () => void;
  onLeave: (name: string) => void;
  children: ReactNode;
};

/** A long form, which is reviewed before sending. */
export function ReviewedForm(props: ReviewedFormProps) {
  const { ref, heading, notice, status, summary, actions, onSubmit, onLeave, children } = props;
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- hears when any field within is left
    <form
      ref={ref}
      method="post"
      noValidate
      autoComplete="off"
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
      onBlur={tellLeft(onLeave)}
      className="px-5"
    >
      <div className="max-w-4xl">
        {heading}
        <div className="pt-4 empty:hidden">{notice}</div>
        {summary}
        {children}
      </div>
      <footer className="sticky bottom-0 -mx-5 mt-4 border-t border-line bg-surface px-5 py-3">
        <div className="flex max-w-4xl flex-wrap items-center justify-between gap-3">
          {status}
          <div className="ml-auto flex gap-2">{actions}</div>
        </div>
      </footer>
    </form>
  );
}
