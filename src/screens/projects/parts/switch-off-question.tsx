import type { Find } from '#rules/find.ts';
import type { Of } from '#schema/index.ts';
import type { ProjectSwitch } from '#data/actions/projects.ts';
import { useFind } from '#data/react/hooks.ts';
import { Button } from '#ui/form/controls.tsx';
import { Dialog } from '#ui/overlay/dialog.tsx';
import { useText } from '#ui/text/text.ts';
import { ShortList } from '#ui/value/short-list.tsx';
import { addressesOf } from './public-addresses.ts';

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
  readonly projects: readonly Of<'project'>[];
  readonly which: PublicSwitch | 'archive';
  readonly onClose: () => void;
  readonly onConfirm: () => void;
}

/** Asks before others lose what was published. */
export function SwitchOffQuestion({ projects, which, onClose, onConfirm }: Props) {
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
      <PublicAddresses projects={projects} />
    </Dialog>
  );
}

/** The links that stop working for everybody; of several projects their names. */
function PublicAddresses({ projects }: Pick<Props, 'projects'>) {
  const t = useText();
  const find = useFind();
  const affected = projects
    .map((project) => ({ name: project.name, addresses: addressesOf(project, find) }))
    .filter(({ addresses }) => addresses.length > 0);
  const addresses = affected.flatMap((project) => project.addresses);
  if (addresses.length === 0) return null;
  return (
    <>
      <p>{t('project.settings.addressesStop', { count: addresses.length })}</p>
      <ShortList items={projects.length > 1 ? affected.map(({ name }) => name) : addresses} />
    </>
  );
}
