import { useEffect, useId, useRef, useState } from 'react';
import { mayToggle } from '#rules/project.ts';
import type { Of } from '#schema/index.ts';
import { setSwitch } from '#data/actions/projects.ts';
import type { ProjectSwitch } from '#data/actions/projects.ts';
import { useData, useViewer } from '#data/react/hooks.ts';
import { Switch } from '#ui/form/switch.tsx';
import { useText } from '#ui/text/text.ts';
import { useOpenChanges } from '../../app/page/changes/changes-context.ts';
import { useSaved } from '../../app/page/changes/use-saved.ts';
import { useAttempt } from '../../app/page/use-attempt.ts';
import { SwitchOffQuestion, takesAway } from './switch-off-question.tsx';
import type { PublicSwitch } from './switch-off-question.tsx';

const SWITCHES: readonly ProjectSwitch[] = ['allowDownloads', 'isPublic', 'automaticBuilds'];

/** The switches of a project, which act at once; a person who may not change them sees why. */
export function ProjectSettings({ project }: { readonly project: Of<'project'> }) {
  const t = useText();
  const data = useData();
  const viewer = useViewer();
  const attempt = useAttempt();
  const saved = useSaved();
  const [question, ask] = useState<PublicSwitch | null>(null);
  const openChanges = useOpenChanges();
  const isHere = useRef(true);
  useEffect(() => {
    isHere.current = true;
    return () => {
      isHere.current = false;
    };
  }, []);
  const reasonId = useId();
  const may = mayToggle(viewer, project);

  const set = async (which: ProjectSwitch, isOn: boolean) => {
    const title = t(`project.operations.${which}.error`);
    if (!(await attempt(title, () => setSwitch(data, project, which, isOn)))) return;
    saved({
      success: t(`project.operations.${which}.${isOn ? 'on' : 'off'}`),
      undo: () => {
        if (isHere.current) choose(which, !isOn);
        // The toast outlives the page: the changes panel asks the same question.
        else openChanges({ record: project.id });
      },
      setting: `${project.id} ${which}`,
    });
  };
  const choose = (which: ProjectSwitch, isOn: boolean) => {
    const lost = takesAway(project, which, isOn, data.find);
    if (lost !== null) ask(lost);
    else void set(which, isOn);
  };
  return (
    <>
      {!may && (
        <p id={reasonId} className="soft">
          {t('project.settingsWhyNot')}
        </p>
      )}
      {SWITCHES.map((which) => (
        <Switch
          key={which}
          label={t(`project.settings.${which}`)}
          help={t(`project.settings.${which}.help`)}
          isOn={project[which]}
          isDisabled={!may}
          reasonId={may ? undefined : reasonId}
          onChange={(isOn) => {
            choose(which, isOn);
          }}
        />
      ))}
      {question !== null && (
        <SwitchOffQuestion
          projects={[project]}
          which={question}
          onClose={() => {
            ask(null);
          }}
          onConfirm={() => void set(question, false)}
        />
      )}
    </>
  );
}
