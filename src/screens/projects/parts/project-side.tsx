import { useState } from 'react';
import { isInGroup } from '#rules/project.ts';
import type { Viewer } from '#rules/viewer.ts';
import type { Of } from '#schema/index.ts';
import { setGroup, setOwner } from '#data/actions/projects.ts';
import { useData, useFind, useList, useRecord, useViewer } from '#data/react/hooks.ts';
import { Button } from '#ui/form/controls.tsx';
import { Dialog } from '#ui/overlay/dialog.tsx';
import { Field } from '#ui/form/field.tsx';
import { Picker } from '#ui/form/picker.tsx';
import { useText } from '#ui/text/text.ts';
import { useSaved } from '../../app/page/changes/use-saved.ts';
import { Authors } from '../people/authors.tsx';
import { Reviewers } from '../people/reviewers.tsx';
import { SidePart } from './side-part.tsx';
import { useAttempt } from '../../app/page/use-attempt.ts';
import { usePeopleOptions } from '../../app/page/use-display-name.ts';
import '../people/people.css';

interface Props {
  readonly project: Of<'project'>;
}

/** Shows whose the project is. */
export function ProjectSide({ project }: Props) {
  const t = useText();
  const { record: organization } = useRecord('organization', project.organization);
  return (
    <aside className="side-panel ui form" aria-label={t('project.whose')}>
      <SidePart title={t('project.organization')}>
        <h2>{t('project.organization')}</h2>
        <bdi>{organization?.name ?? '--'}</bdi>
      </SidePart>
      <SidePart title={t('project.owner')} isOpenAtFirst>
        <div className="side-label">
          <Owner project={project} />
        </div>
      </SidePart>
      <SidePart title={t('project.group')} isOpenAtFirst>
        <div className="side-label">
          <Group project={project} />
        </div>
      </SidePart>
      <SidePart title={t('project.authors')}>
        <Authors project={project} />
      </SidePart>
      <SidePart title={t('project.reviewers')}>
        <Reviewers project={project} />
      </SidePart>
    </aside>
  );
}

/** Changes something of the project, and says what kept it from being so. */
function useTry(): (act: () => Promise<void>) => void {
  const t = useText();
  const attempt = useAttempt();
  const saved = useSaved();
  return (act) => {
    void attempt(t('errors.generic'), act).then((isDone) => {
      if (isDone) saved({ success: null });
    });
  };
}

/** People in the project's group and organization, by name; the present owner always. */
function useCandidates({ group, organization, owner }: Of<'project'>): readonly Of<'user'>[] {
  const find = useFind();
  const { rows: inGroup } = useList('groupMembership', { group });
  const { rows: inOrganization } = useList('organizationMembership', { organization });
  const { rows: users } = useList('user', {}, { sort: 'name' });
  const [groupIds, memberIds] = [inGroup, inOrganization].map((rows) =>
    rows.map(({ user }) => user),
  );
  const candidates = users.filter(
    ({ id }) =>
      id === owner || (groupIds?.includes(id) === true && memberIds?.includes(id) === true),
  );
  const present = owner === null ? null : find.one('user', owner);
  return present === null || candidates.some(({ id }) => id === owner)
    ? candidates
    : [present, ...candidates];
}

function Owner({ project }: Props) {
  const t = useText();
  const data = useData();
  const viewer = useViewer();
  const attempt = useTry();
  const candidates = useCandidates(project);
  const choicesOf = usePeopleOptions();
  const mayChoose = isInGroup(viewer, project);
  return (
    <Field label={t('project.owner')} {...(mayChoose ? {} : { help: t('project.ownerWhyNot') })}>
      {(tied) => (
        <Picker
          tied={tied}
          chosen={project.owner}
          isDisabled={!mayChoose}
          options={choicesOf(candidates)}
          onChoose={(owner) => {
            attempt(() => setOwner(data, project, owner));
          }}
        />
      )}
    </Field>
  );
}

/** The viewer's own groups of the organization, and the present one. */
function groupsFor(viewer: Viewer, project: Of<'project'>, groups: readonly Of<'group'>[]) {
  return groups.filter(
    ({ id }) => viewer.isSuperAdmin || viewer.groups.has(id) || id === project.group,
  );
}

function Group({ project }: Props) {
  const t = useText();
  const data = useData();
  const viewer = useViewer();
  const attempt = useTry();
  const { rows } = useList('group', { owner: project.organization }, { sort: 'name' });
  const [question, ask] = useState<Of<'group'> | null>(null);
  const groups = groupsFor(viewer, project, rows);
  const { rows: ownersGroups } = useList('groupMembership', { user: project.owner ?? viewer.id });

  const choose = (id: string) => {
    const group = groups.find((other) => other.id === id);
    if (group === undefined) return;
    const isOwnerIn = ownersGroups.some((membership) => membership.group === id);
    if (project.owner === null || isOwnerIn) attempt(() => setGroup(data, project, id));
    else ask(group);
  };
  return (
    <>
      <Field label={t('project.group')}>
        {(tied) => (
          <select
            {...tied}
            value={project.group}
            disabled={groups.length < 2 && !viewer.isSuperAdmin}
            onChange={(event) => {
              choose(event.target.value);
            }}
          >
            {groups.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        )}
      </Field>
      {question !== null && (
        <Dialog
          title={t('project.moveTitle', { group: question.name })}
          onClose={() => {
            ask(null);
          }}
          actions={
            <>
              <Button
                onClick={() => {
                  ask(null);
                }}
              >
                {t('common.cancel')}
              </Button>
              <Button
                primary
                onClick={() => {
                  attempt(() => setGroup(data, project, question.id));
                  ask(null);
                }}
              >
                {t('project.move')}
              </Button>
            </>
          }
        >
          <p>{t('project.moveText')}</p>
        </Dialog>
      )}
    </>
  );
}
