import { useEffect, useId, useState } from 'react';
import type { KeyboardEvent, ReactNode } from 'react';
import { useNavigate } from 'react-router-dom';
import { useData } from '#data/react/hooks.ts';
import { Dialog } from '#ui/overlay/dialog.tsx';
import { Icon } from '#ui/picture/icon.tsx';
import { Marked } from '#ui/value/values.tsx';
import { useText } from '#ui/text/text.ts';
import { ProductStatusChip } from '../../page/status/product-status.tsx';
import { useHits } from './use-hits.ts';
import type { PaletteActions } from './use-actions.ts';
import type { PaletteMatch } from './palette-match.ts';
import './palette.css';

interface Props {
  readonly frame: PaletteActions;
  readonly onClose: () => void;
}

/**
 * Ctrl or ⌘ K: finds screens, projects, products, tasks, people and actions by a few letters, with
 * the keyboard alone.
 */
export function Palette({ frame, onClose }: Props) {
  const t = useText();
  const go = useNavigate();
  const id = useId();
  const [typed, setTyped] = useState('');
  /** The key of the hit that the arrows reached; null: the first. */
  const [active, setActive] = useState<string | null>(null);
  const { lists } = useData();
  useEffect(() => {
    lists.prepareSearch();
  }, [lists]);
  const groups = useHits(typed, frame);
  const hits = groups.flatMap((group) => group.hits);
  const at = Math.max(
    0,
    hits.findIndex(({ key }) => key === active),
  );
  const current = hits[at];

  const pick = ({ leads }: PaletteMatch) => {
    // What an action opens takes the place of this.
    onClose();
    if ('to' in leads) void go(leads.to);
    else leads.run();
  };
  const onKey = (event: KeyboardEvent) => {
    const step = STEPS[event.key];
    if (step !== undefined && hits.length > 0) {
      event.preventDefault();
      setActive(hits[(at + step + hits.length) % hits.length]?.key ?? null);
    } else if (event.key === 'Enter' && current !== undefined) {
      event.preventDefault();
      pick(current);
    }
  };
  const optionOf = (hit: PaletteMatch) => `${id}-${hits.indexOf(hit)}`;
  const lineOf = (hit: PaletteMatch) => (
    <Line
      key={hit.key}
      id={optionOf(hit)}
      hit={hit}
      search={typed}
      isCurrent={hit === current}
      onPick={pick}
    />
  );

  return (
    <Dialog title={t('header.palette')} size="medium" onClose={onClose}>
      <input
        type="text"
        role="combobox"
        className="text-input"
        autoComplete="off"
        spellCheck={false}
        aria-label={t('palette.label')}
        placeholder={t('palette.label')}
        aria-autocomplete="list"
        aria-expanded={hits.length > 0}
        aria-controls={`${id}-list`}
        aria-activedescendant={current === undefined ? undefined : optionOf(current)}
        value={typed}
        onChange={(event) => {
          setTyped(event.target.value);
          setActive(null);
        }}
        onKeyDown={onKey}
      />
      <div className="palette-found">
        <div
          role="listbox"
          id={`${id}-list`}
          aria-label={t('header.palette')}
          className="palette-list"
          hidden={hits.length === 0}
        >
          {groups.map((group) => (
            <Group
              key={group.of}
              title={t(
                group.of === 'projects' && typed.trim() === ''
                  ? 'palette.recent'
                  : `palette.${group.of}`,
              )}
            >
              {group.hits.map(lineOf)}
            </Group>
          ))}
        </div>
        <p role="status" className={hits.length > 0 ? 'out-of-sight' : 'soft'}>
          {hits.length === 0 ? t('palette.none') : t('palette.found', { count: hits.length })}
        </p>
      </div>
    </Dialog>
  );
}

const STEPS: Readonly<Record<string, 1 | -1>> = { ArrowDown: 1, ArrowUp: -1 };

interface GroupProps {
  readonly title: string;
  readonly children: readonly ReactNode[];
}

function Group({ title, children }: GroupProps) {
  const id = useId();
  if (children.length === 0) return null;
  return (
    <div role="group" aria-labelledby={id}>
      <div id={id} className="palette-head" role="presentation">
        {title}
      </div>
      {children}
    </div>
  );
}

interface LineProps {
  readonly id: string;
  readonly hit: PaletteMatch;
  readonly search: string;
  readonly isCurrent: boolean;
  readonly onPick: (hit: PaletteMatch) => void;
}

function Line({ id, hit, search, isCurrent, onPick }: LineProps) {
  const { title, icon, detail, product } = hit;
  return (
    <div
      id={id}
      role="option"
      aria-selected={isCurrent}
      className="palette-line"
      // The item that the arrows reach stays in view.
      ref={isCurrent ? intoView : undefined}
      onPointerDown={(event) => {
        // The field keeps the focus.
        event.preventDefault();
      }}
      onClick={() => {
        onPick(hit);
      }}
    >
      <Icon name={icon} />
      <span className="palette-name">
        <Marked text={title} search={search} />
      </span>
      {detail !== undefined && (
        <span className="palette-detail">
          <Marked text={detail} search={search} />
        </span>
      )}
      {product !== undefined && (
        <span className="palette-status">
          <ProductStatusChip product={product} />
        </span>
      )}
    </div>
  );
}

function intoView(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: 'nearest' });
}
