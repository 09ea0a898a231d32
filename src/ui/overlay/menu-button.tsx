import { useEffect, useId, useRef, useState } from 'react';
import type { KeyboardEvent, MouseEvent, ReactNode } from 'react';
import { Icon } from '../picture/icon.tsx';
import type { IconName } from '../picture/icon.tsx';

export interface MenuEntry {
  readonly id: string;
  readonly label: string;
  readonly icon?: IconName;
  readonly lang?: string;
  /** One of several: whether it is the one. */
  readonly isChosen?: boolean;
  /** A rule stands before it. */
  readonly startsGroup?: boolean;
  /** The address to which `run` leads: the entry is a link, which a new tab can be opened with. */
  readonly href?: string;
  readonly run: () => void;
}

interface Props {
  readonly label: string;
  /** What the entries act on, by its id: open, the menu closes where this becomes another one. */
  readonly of?: string;
  /** The content of the button; its label where this is left out. */
  readonly children?: ReactNode;
  readonly className?: string;
  readonly align?: 'left' | 'right';
  /** The control whose letter opens the menu, at its first entry. */
  readonly shortcut?: string | undefined;
  readonly entries: readonly MenuEntry[];
}

/** A button that opens a menu, by click, Enter, Space or ↓; arrows, Home, End and letters move. */
export function MenuButton(props: Props) {
  const { label, of = '', children, className = '', align = 'right', entries } = props;
  const id = useId();
  const [openOf, setOpenOf] = useState<string | null>(null);
  const isOpen = openOf === of;
  const setOpen = (opens: boolean) => {
    setOpenOf(opens ? of : null);
  };
  const root = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const list = useRef<HTMLDivElement>(null);

  useEffect(() => {
    if (!isOpen) return undefined;
    const chosen = list.current?.querySelector<HTMLElement>('[aria-checked="true"]');
    (chosen ?? itemsIn(list.current)[0])?.focus();
    const leave = (event: Event) => {
      if (event.target instanceof Node && root.current?.contains(event.target) === false)
        setOpenOf(null);
    };
    document.addEventListener('pointerdown', leave);
    document.addEventListener('focusin', leave);
    return () => {
      document.removeEventListener('pointerdown', leave);
      document.removeEventListener('focusin', leave);
    };
  }, [isOpen]);

  const close = () => {
    setOpen(false);
    button.current?.focus();
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'Escape') {
      event.stopPropagation();
      close();
      return;
    }
    if (isSpaceOnLink(event)) {
      event.preventDefault();
      return;
    }
    const next = neighbour(itemsIn(list.current), event.key);
    if (next === null) return;
    event.preventDefault();
    next.focus();
  };

  return (
    <div className={`menu-button ${className}`} ref={root}>
      <button
        type="button"
        ref={button}
        className="menu-opener"
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        aria-label={label}
        title={label}
        data-shortcut={props.shortcut}
        onClick={() => {
          setOpen(!isOpen);
        }}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown') return;
          event.preventDefault();
          setOpen(true);
        }}
      >
        {children ?? label}
      </button>
      {isOpen && (
        <div
          className={`menu-list menu-${align}`}
          role="menu"
          id={id}
          aria-label={label}
          ref={list}
          onKeyDown={onKey}
          onKeyUp={(event) => {
            if (isSpaceOnLink(event)) (event.target as HTMLAnchorElement).click();
          }}
        >
          {entries.map((entry) => (
            <Entry key={entry.id} entry={entry} onDone={close} />
          ))}
        </div>
      )}
    </div>
  );
}

/** The browser presses buttons with Space, once it is let go; links not. */
const isSpaceOnLink = ({ key, target }: KeyboardEvent): boolean =>
  key === ' ' && target instanceof HTMLAnchorElement;

function Entry({ entry, onDone }: { readonly entry: MenuEntry; readonly onDone: () => void }) {
  const { href, isChosen, icon, run } = entry;
  const isOneOfSeveral = isChosen !== undefined;
  const opensElsewhere = ({ ctrlKey, metaKey, shiftKey }: MouseEvent) =>
    href !== undefined && (ctrlKey || metaKey || shiftKey);
  const attributes = {
    role: isOneOfSeveral ? 'menuitemradio' : 'menuitem',
    'aria-checked': isChosen,
    lang: entry.lang,
    tabIndex: -1,
    className: 'menu-entry',
    onClick: (event: MouseEvent) => {
      if (opensElsewhere(event)) return;
      event.preventDefault();
      onDone();
      run();
    },
  };
  const content = (
    <>
      {isOneOfSeveral && <span className="menu-check">{isChosen && <Icon name="check" />}</span>}
      {icon !== undefined && <Icon name={icon} />}
      {entry.label}
    </>
  );
  return (
    <>
      {entry.startsGroup === true && <div role="separator" className="menu-rule" />}
      {href === undefined ? (
        <button type="button" {...attributes}>
          {content}
        </button>
      ) : (
        <a href={href} {...attributes}>
          {content}
        </a>
      )}
    </>
  );
}

function itemsIn(list: HTMLElement | null): HTMLElement[] {
  return [...(list?.querySelectorAll<HTMLElement>('.menu-entry') ?? [])];
}

/** Finds the item among `items` to which a key leads; null when it leads nowhere. */
function neighbour(items: readonly HTMLElement[], key: string): HTMLElement | null {
  const at = items.findIndex((item) => item === document.activeElement);
  switch (key) {
    case 'ArrowDown':
      return items[(at + 1) % items.length] ?? null;
    case 'ArrowUp':
      return items[(at - 1 + items.length) % items.length] ?? null;
    case 'Home':
      return items[0] ?? null;
    case 'End':
      return items.at(-1) ?? null;
    default:
      return key.length === 1 ? startingWith(items, at, key) : null;
  }
}

function startingWith(items: readonly HTMLElement[], at: number, letter: string) {
  const after = [...items.slice(at + 1), ...items.slice(0, at + 1)];
  const wanted = letter.toLowerCase();
  return after.find((item) => item.textContent.trim().toLowerCase().startsWith(wanted)) ?? null;
}
