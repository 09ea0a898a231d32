import { chooseOrganization } from '#session/organization.ts';
import { useRecord } from '#data/react/hooks.ts';
import { Button } from '#ui/form/controls.tsx';
import { EmptyBox } from '#ui/status/boxes.tsx';
import { useText } from '#ui/text/text.ts';
import { usePageTitle } from './page-title.ts';

interface Props {
  readonly organization: string;
  /** Names the organization. */
  readonly title: (organization: string) => string;
  readonly children: string;
}

/**
 * Stands for a page about an organization that is not in view, with the way to it: a super admin
 * follows one at a time, and what is here of another may be old.
 */
export function NotInView({ organization: id, title, children }: Props) {
  const { record } = useRecord('organization', id);
  const heading = title(record?.name ?? '');
  usePageTitle(heading);
  return (
    <EmptyBox isPage icon="building" title={heading} action={<LookAt organization={id} primary />}>
      {children}
    </EmptyBox>
  );
}

interface LookAtProps {
  readonly organization: string;
  readonly primary?: boolean;
}

/** Brings an organization in view, with which its people and all else of it come to this device. */
export function LookAt({ organization: id, primary = false }: LookAtProps) {
  const t = useText();
  const { record } = useRecord('organization', id);
  return (
    <Button
      primary={primary}
      onClick={() => {
        chooseOrganization(id);
      }}
    >
      {t('workflow.lookAt', { organization: record?.name ?? '' })}
    </Button>
  );
}
