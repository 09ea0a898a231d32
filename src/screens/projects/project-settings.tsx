import { mayToggle } from '#rules/project.ts';
import type { Of } from '#schema/index.ts';
import { setSwitch } from '#data/actions/projects.ts';
import type { ProjectSwitch } from '#data/actions/projects.ts';
import { NotSavedError } from '#data/change.ts';
import { useChanges } from '#data/use-changes.ts';
import { useData } from '#data/use-data.ts';
import { useViewer } from '#data/use-viewer.ts';
import { Switch } from '#ui/switch.tsx';
import { useText } from '#ui/text.ts';
import { useToast } from '#ui/toasts.tsx';

const SWITCHES: readonly ProjectSwitch[] = ['allowDownloads', 'isPublic', 'automaticBuilds'];

/** What a project allows, on or off at once; who may not change it sees why. */
export function ProjectSettings({ project }: { readonly project: Of<'project'> }) {
  const t = useText();
  const data = useData();
  const show = useToast();
  const viewer = useViewer();
  const { status } = useChanges();
  const whyNot = mayToggle(viewer, project) ? null : t('project.settingsWhyNot');

  const set = async (which: ProjectSwitch, isOn: boolean) => {
    try {
      await setSwitch(data, project, which, isOn);
      // Offline nothing is agreed yet: it says where the change is, not that all is done.
      const says = t(`project.operations.${which}.${isOn ? 'on' : 'off'}`);
      show({
        ...(status === 'offline'
          ? { tone: 'info', title: t('sync.savedHere') }
          : { tone: 'success', title: says }),
        action: {
          label: t('common.undo'),
          run: () => void setSwitch(data, project, which, !isOn),
        },
      });
    } catch (error) {
      if (!(error instanceof NotSavedError)) throw error;
      show({ tone: 'error', title: t(`project.operations.${which}.error`) });
    }
  };
  return SWITCHES.map((which) => (
    <Switch
      key={which}
      label={t(`project.settings.${which}`)}
      help={t(`project.settings.${which}.help`)}
      isOn={project[which]}
      whyNot={whyNot}
      onChange={(isOn) => void set(which, isOn)}
    />
  ));
}
