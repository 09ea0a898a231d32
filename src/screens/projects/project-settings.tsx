import { useState } from 'react';
import { mayToggle } from '#rules/project.ts';
import type { Of } from '#schema/index.ts';
import { setSwitch } from '#data/actions/projects.ts';
import type { ProjectSwitch } from '#data/actions/projects.ts';
import { useData } from '#data/use-data.ts';
import { useViewer } from '#data/use-viewer.ts';
import { Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { Switch } from '#ui/switch.tsx';
import { useText } from '#ui/text.ts';
import { useSaved } from '../changes/use-saved.ts';
import { useAttempt } from '../use-attempt.ts';
import { downloadPageOf } from './products/published-files.ts';

const SWITCHES: readonly ProjectSwitch[] = ['allowDownloads', 'isPublic', 'automaticBuilds'];

/** What a project allows, on or off at once; who may not change it sees why. */
export function ProjectSettings({ project }: { readonly project: Of<'project'> }) {
  const t = useText();
  const data = useData();
  const viewer = useViewer();
  const attempt = useAttempt();
  const saved = useSaved();
  const [asked, ask] = useState<'isPublic' | 'allowDownloads' | null>(null);
  const whyNot = mayToggle(viewer, project) ? null : t('project.settingsWhyNot');

  const set = async (which: ProjectSwitch, isOn: boolean) => {
    const title = t(`project.operations.${which}.error`);
    if (!(await attempt(title, () => setSwitch(data, project, which, isOn)))) return;
    saved({
      success: t(`project.operations.${which}.${isOn ? 'on' : 'off'}`),
      undo: () => void attempt(title, () => setSwitch(data, project, which, !isOn)),
    });
  };
  const choose = (which: ProjectSwitch, isOn: boolean) => {
    // Others may be using what was published: they would find it gone.
    const takesAway = which !== 'automaticBuilds' && !isOn;
    const products = takesAway ? data.find.all('product', { project: project.id }) : [];
    if (takesAway && products.some(({ datePublished }) => datePublished !== null)) ask(which);
    else void set(which, isOn);
  };
  const close = () => {
    ask(null);
  };
  return (
    <>
      {SWITCHES.map((which) => (
        <Switch
          key={which}
          label={t(`project.settings.${which}`)}
          help={t(`project.settings.${which}.help`)}
          isOn={project[which]}
          whyNot={whyNot}
          onChange={(isOn) => {
            choose(which, isOn);
          }}
        />
      ))}
      {asked !== null && (
        <Dialog
          title={t(`project.settings.offTitle.${asked}`)}
          onClose={close}
          actions={
            <>
              <Button onClick={close}>{t('common.cancel')}</Button>
              <Button
                negative
                onClick={() => {
                  close();
                  void set(asked, false);
                }}
              >
                {t(`project.settings.turnOff.${asked}`)}
              </Button>
            </>
          }
        >
          <p>{t(`project.settings.offText.${asked}`)}</p>
          <PublicAddresses project={project} />
        </Dialog>
      )}
    </>
  );
}

/** The download pages that stop working for everybody outside of the organization. */
function PublicAddresses({ project }: { readonly project: Of<'project'> }) {
  const t = useText();
  const { find } = useData();
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
      <ul className="public-addresses">
        {addresses.map((address) => (
          <li key={address}>{address}</li>
        ))}
      </ul>
    </>
  );
}
