import type { Find } from '#rules/find.ts';
import type { Of } from '#schema/index.ts';
import type { ProjectSwitch } from '#data/actions/projects.ts';
import { useFind } from '#data/react/hooks.ts';
import { Button } from '#ui/form/controls.tsx';
import { Dialog } from '#ui/overlay/dialog.tsx';
import { useText } from '#ui/text/text.ts';
import { downloadPageOf } from '../../products/in-project/published-files.ts';

/** A switch by which others see or have what was published. */
export type PublicSwitch = Exclude<ProjectSwitch, 'automaticBuilds'>;

/** The switch that takes away what others may be using when it is set to `isOn`; null: it does not. */
export function takesAway(
  project: Of<'project'>,
  which: ProjectSwitch,
  isOn: boolean,
  find: Find,
): PublicSwitch | null {
  if (which === 'automaticBuilds' || isOn) return null;
  const products = find.all('product', { project: project.id });
  return products.some(({ datePublished }) => datePublished !== null) ? which : null;
}

interface Props {
  readonly project: Of<'project'>;
  readonly which: PublicSwitch;
  readonly onClose: () => void;
  readonly onConfirm: () => void;
}

/** Asks before others lose what was published. */
export function SwitchOffQuestion({ project, which, onClose, onConfirm }: Props) {
  const t = useText();
  return (
    <Dialog
      title={t(`project.settings.offTitle.${which}`)}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <Button
            negative
            onClick={() => {
              onClose();
              onConfirm();
            }}
          >
            {t(`project.settings.turnOff.${which}`)}
          </Button>
        </>
      }
    >
      <p>{t(`project.settings.offText.${which}`)}</p>
      <PublicAddresses project={project} />
    </Dialog>
  );
}

/** The download pages that stop working for everybody outside of the organization. */
function PublicAddresses({ project }: { readonly project: Of<'project'> }) {
  const t = useText();
  const find = useFind();
  const addresses = find.all('product', { project: project.id }).flatMap((product) => {
    if (product.datePublished === null) return [];
    const definition = find.one('productDefinition', product.productDefinition);
    const page = downloadPageOf(product.id, definition?.name ?? '');
    return page === null ? [] : [new URL(page, document.baseURI).href];
  });
  if (!project.isPublic || !project.allowDownloads || addresses.length === 0) return null;
  return (
    <>
      <p>{t('project.settings.addressesStop', { count: addresses.length })}</p>
      <ul>
        {addresses.map((address) => (
          <li key={address}>{address}</li>
        ))}
      </ul>
    </>
  );
}
