import { useEffect, useRef, useState } from 'react';
import type { KeyboardEvent } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { fold } from '#base/fold.ts';
import { limits } from '#protocol/limits.ts';
import type { Of } from '#schema/index.ts';
import { chooseOrganization, useOrganization } from '#session/organization.ts';
import { useOrganizations } from '#data/use-viewer.ts';
import { Icon } from '#ui/icon.tsx';
import { useText } from '#ui/text.ts';

/** Pages whose form stays when the organization changes. */
const FORMS: ReadonlySet<string> = new Set(['/projects/new', '/projects/import']);

interface Props {
  readonly isOpen: boolean;
  readonly onOpen: (isOpen: boolean) => void;
  readonly onLeave?: () => void;
}

/** The organization in view; with more than one to choose from, the way to another. */
export function OrganizationSwitcher({ isOpen, onOpen, onLeave }: Props) {
  const t = useText();
  const organizations = useOrganizations();
  const present = useOrganization();
  const current = organizations.find(({ id }) => id === present) ?? null;
  const button = useRef<HTMLButtonElement>(null);
  const only = organizations.length === 1 ? organizations[0] : undefined;

  const name = current?.name ?? only?.name ?? t('switcher.all');
  const head = (
    <>
      <Mark organization={current} />
      <span className="switcher-name">
        <bdi>{name}</bdi>
      </span>
    </>
  );
  if (organizations.length < 2) return <div className="switcher-head">{head}</div>;
  return (
    <>
      <button
        type="button"
        ref={button}
        className="switcher-head"
        aria-expanded={isOpen}
        onClick={() => {
          onOpen(!isOpen);
        }}
      >
        {head}
        <Icon name="down" />
      </button>
      {isOpen && (
        <Choices
          organizations={organizations}
          present={current?.id ?? null}
          onDone={(isChosen) => {
            onOpen(false);
            button.current?.focus();
            if (isChosen) onLeave?.();
          }}
        />
      )}
    </>
  );
}

interface ChoicesProps {
  readonly organizations: readonly Of<'organization'>[];
  readonly present: string | null;
  readonly onDone: (isChosen: boolean) => void;
}

function Choices({ organizations, present, onDone }: ChoicesProps) {
  const t = useText();
  const go = useNavigate();
  const { pathname } = useLocation();
  const [typed, setTyped] = useState('');
  const list = useRef<HTMLDivElement>(null);
  const hits = organizations.filter(({ name }) => fold(name ?? '').includes(fold(typed)));
  const hasSearch = organizations.length > limits.organizationsBeforeSearch;

  useEffect(() => {
    const first = list.current?.querySelector<HTMLElement>('input, [aria-current="true"], button');
    first?.focus();
  }, []);

  const choose = (id: string | null) => {
    chooseOrganization(id);
    onDone(true);
    // A form that is being filled in stays; its choices follow.
    if (!FORMS.has(pathname)) void go('/tasks');
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'Escape') {
      event.preventDefault();
      event.stopPropagation();
      onDone(false);
      return;
    }
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
    event.preventDefault();
    const all = [...(list.current?.querySelectorAll<HTMLElement>('input, button') ?? [])];
    const at = all.findIndex((element) => element === document.activeElement);
    const step = event.key === 'ArrowDown' ? 1 : -1;
    all[(at + step + all.length) % all.length]?.focus();
  };
  return (
    <div className="switcher-list" ref={list} onKeyDown={onKey}>
      {hasSearch && (
        <input
          type="search"
          className="text-input"
          aria-label={t('switcher.search')}
          placeholder={t('switcher.search')}
          value={typed}
          onChange={(event) => {
            setTyped(event.target.value);
          }}
          onKeyDown={(event) => {
            const [first] = hits;
            if (event.key === 'Enter' && first !== undefined) choose(first.id);
          }}
        />
      )}
      {hits.map((organization) => (
        <button
          type="button"
          key={organization.id}
          className="switcher-entry"
          aria-current={organization.id === present}
          onClick={() => {
            choose(organization.id);
          }}
        >
          <Mark organization={organization} />
          <span className="switcher-name">
            <bdi>{organization.name}</bdi>
          </span>
          {organization.id === present && <Icon name="check" />}
        </button>
      ))}
      {hits.length === 0 && <p className="soft">{t('common.noResults')}</p>}
      <div className="menu-rule" role="separator" />
      <button
        type="button"
        className="switcher-entry"
        aria-current={present === null}
        onClick={() => {
          choose(null);
        }}
      >
        <Mark organization={null} />
        <span className="switcher-name">{t('switcher.all')}</span>
        {present === null && <Icon name="check" />}
      </button>
    </div>
  );
}

function Mark({ organization }: { readonly organization: Of<'organization'> | null }) {
  if (organization?.logoUrl)
    return <img className="organization-mark" src={organization.logoUrl} alt="" />;
  return (
    <span className="organization-mark" aria-hidden>
      {organization === null ? <Icon name="building" /> : (organization.name ?? '?').charAt(0)}
    </span>
  );
}
