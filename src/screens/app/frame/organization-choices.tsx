import { useLayoutEffect, useRef, useState } from 'react';
import type { KeyboardEvent } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { fold } from '#base/unicode.ts';
import { limits } from '#protocol/limits.ts';
import type { Of } from '#schema/index.ts';
import { chooseOrganization } from '#session/organization.ts';
import { Skeleton } from '#ui/status/boxes.tsx';
import { Icon } from '#ui/picture/icon.tsx';
import { useText } from '#ui/text/text.ts';
import { OrganizationMark } from '../page/brand.tsx';

/** Pages whose form stays when the organization changes. */
const FORMS: ReadonlySet<string> = new Set(['/projects/new', '/projects/import']);

interface Props {
  readonly organizations: readonly Of<'organization'>[];
  readonly present: string | null;
  readonly isComing: boolean;
  readonly onDone: (isChosen: boolean) => void;
}

/** Each organization, and all of them: one puts what is chosen in view. */
export function OrganizationChoices({ organizations, present, isComing, onDone }: Props) {
  const t = useText();
  const go = useNavigate();
  const { pathname } = useLocation();
  const [typed, setTyped] = useState('');
  const list = useRef<HTMLDivElement>(null);
  const hits = organizations.filter(({ name }) => fold(name ?? '').includes(fold(typed)));
  const hasSearch = organizations.length > limits.organizationsBeforeSearch;

  // With what shows: the next key is for it.
  useLayoutEffect(() => {
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
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') {
      // Typing goes to the search, wherever in the list one is.
      const isText =
        event.key.length === 1 && event.key !== ' ' && !event.ctrlKey && !event.metaKey;
      if (isText) list.current?.querySelector('input')?.focus();
      return;
    }
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
          <OrganizationMark organization={organization} />
          <span className="switcher-name" title={organization.name ?? undefined}>
            <bdi>{organization.name}</bdi>
          </span>
          {organization.id === present && <Icon name="check" />}
        </button>
      ))}
      {isComing && <Skeleton rows={3} />}
      {hits.length === 0 && !isComing && <p className="soft">{t('common.noResults')}</p>}
      <div className="menu-rule" role="separator" />
      <button
        type="button"
        className="switcher-entry"
        aria-current={present === null}
        onClick={() => {
          choose(null);
        }}
      >
        <OrganizationMark organization={null} />
        <span className="switcher-name" title={t('switcher.all')}>
          {t('switcher.all')}
        </span>
        {present === null && <Icon name="check" />}
      </button>
    </div>
  );
}
