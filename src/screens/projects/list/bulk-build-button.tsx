import { useState } from 'react';
import type { Of } from '#schema/index.ts';
import { Button } from '#ui/form/button.tsx';
import { Icon } from '#ui/picture/icon.tsx';
import { useText } from '#ui/text/text.ts';
import { LateDialog } from '../../app/page/late/late-dialog.tsx';
import { loadWithTexts } from '../../app/page/late/late-part.tsx';

const load = loadWithTexts(async () => (await import('../bulk-build/bulk-build.tsx')).BulkBuild);

interface Props {
  readonly projects: readonly Of<'project'>[];
  readonly onStarted: () => void;
}

/** Opens what rebuilds or republishes the products of the selected projects. */
export function BulkBuildButton({ projects, onStarted }: Props) {
  const t = useText();
  const [isOpen, setOpen] = useState(false);
  const onClose = () => {
    setOpen(false);
  };
  const title = t('projects.bulk.build');
  return (
    <>
      <Button
        disabled={projects.length === 0}
        onClick={() => {
          setOpen(true);
        }}
      >
        <Icon name="sync" />
        {title}
      </Button>
      {isOpen && <LateDialog load={load} props={{ projects, onClose, onStarted }} title={title} />}
    </>
  );
}
