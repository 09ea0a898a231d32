import { useEffect, useId, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { Button } from '#ui/form/controls.tsx';
import { useText } from '#ui/text/text.ts';

interface Props {
  readonly title: string;
  readonly addLabel: string;
  readonly mayManage: boolean;
  /** The number of people. */
  readonly total: number;
  /** Says that there are none, and what they would be for. */
  readonly none: string;
  readonly meaning: string;
  /** The form that adds one; stays open until it is closed. */
  readonly form: ReactNode;
  readonly children: ReactNode;
}

/** People of one kind, with the way to add one for who may. */
export function PeopleSection(props: Props) {
  const { title, addLabel, mayManage, total, none, meaning, form, children } = props;
  const t = useText();
  const id = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    // The row whose × had the focus went: the next Tab goes on from here.
    if (document.activeElement === document.body) heading.current?.focus({ preventScroll: true });
  }, [total]);
  return (
    <section aria-labelledby={id}>
      <div className="people-head">
        <h2 id={id} ref={heading} tabIndex={-1}>
          {title}
        </h2>
        {mayManage && (
          <Button
            aria-expanded={isOpen}
            onClick={() => {
              setOpen(!isOpen);
            }}
          >
            {isOpen ? t('common.close') : addLabel}
          </Button>
        )}
      </div>
      {isOpen && mayManage && form}
      {total > 0 ? (
        <ul className="people">{children}</ul>
      ) : (
        <>
          <p className="soft">{none}</p>
          <p className="caption">
            {meaning} {!mayManage && t('project.authorForm.whoAdds')}
          </p>
        </>
      )}
    </section>
  );
}
