import { useRef } from 'react';
import { useOrganization } from '#session/organization.ts';
import { useAreOrganizationsComing, useOrganizations } from '#data/react/hooks.ts';
import { Icon } from '#ui/picture/icon.tsx';
import { useText } from '#ui/text/text.ts';
import { LatePart, loadWithTexts } from '../page/late/late-part.tsx';
import { OrganizationMark } from '../page/brand.tsx';

const loadChoices = loadWithTexts(
  async () => (await import('./organization-choices.tsx')).OrganizationChoices,
);

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
      <OrganizationMark organization={current} />
      <span className="switcher-name" title={name}>
        <bdi>{name}</bdi>
      </span>
    </>
  );
  const isComing = useAreOrganizationsComing();
  if (organizations.length < 2 && !isComing) return <div className="switcher-head">{head}</div>;
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
        <LatePart
          load={loadChoices}
          props={{
            organizations,
            present: current?.id ?? null,
            isComing,
            onDone: (isChosen) => {
              onOpen(false);
              button.current?.focus();
              if (isChosen) onLeave?.();
            },
          }}
        />
      )}
    </>
  );
}
