import { Fragment, useId, useState } from 'react';
import type { ReactNode } from 'react';
import { useFind } from '#data/react/hooks.ts';
import type { ChangeRow } from '#data/model/views.ts';
import { Icon } from '#ui/picture/icon.tsx';
import { Slices } from '#ui/table/slices.tsx';
import { useText } from '#ui/text/text.ts';
import { ChangeLine } from './change-line.tsx';
import type { PanelActions } from './change-line.tsx';
import { byProject } from './grouped.ts';

interface FoldedProps {
  readonly level: 'h3' | 'h4';
  readonly title: string;
  readonly isOpenFirst?: boolean;
  readonly children: ReactNode;
}

/** A part of the list under a title that folds it away. */
export function Folded({ level: Title, title, isOpenFirst = true, children }: FoldedProps) {
  const id = useId();
  const [isOpen, setOpen] = useState(isOpenFirst);
  return (
    <>
      <Title>
        <button
          type="button"
          className="fold-button"
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => {
            setOpen(!isOpen);
          }}
        >
          <Icon name={isOpen ? 'down' : 'next'} />
          {title}
        </button>
      </Title>
      <div id={id}>{isOpen && children}</div>
    </>
  );
}

interface LinesProps {
  readonly name: 'needYou' | 'waiting' | 'today' | 'earlier';
  readonly rows: readonly ChangeRow[];
  readonly actions: PanelActions;
  readonly target: string | null;
}

const LINE_PX = { needYou: 220, waiting: 84, today: 84, earlier: 84 } as const;

/** The changes of a part, of any number, those of one project under its name. */
export function Lines({ name, rows, actions, target }: LinesProps) {
  const t = useText();
  const find = useFind();
  const listed = byProject(rows, find);
  return (
    <Slices
      rows={listed}
      label={t(`changes.group.${name}`, { number: rows.length })}
      rowPx={LINE_PX[name]}
      wanted={target === null ? -1 : listed.findIndex(({ row }) => row.id === target)}
    >
      {({ row, project, isOfProject }, i) => (
        <Fragment key={row.id}>
          {project !== null && (
            <div className="change-project">
              <bdi>{project.name}</bdi> ({project.number})
            </div>
          )}
          <ChangeLine
            row={row}
            actions={actions}
            place={i + 1}
            of={listed.length}
            isOfProject={isOfProject}
          />
        </Fragment>
      )}
    </Slices>
  );
}
