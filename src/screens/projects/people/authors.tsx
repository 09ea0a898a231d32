import { useState } from 'react';
import type { FormEvent } from 'react';
import { Link } from 'react-router-dom';
import { mayAdminister } from '#rules/organization.ts';
import { answersFor } from '#rules/project.ts';
import type { Of } from '#schema/index.ts';
import { addAuthor, removeAuthor } from '#data/actions/people.ts';
import { useData, useList, useRecord, useViewer } from '#data/react/hooks.ts';
import { Button } from '#ui/form/controls.tsx';
import { Field } from '#ui/form/field.tsx';
import { Picker } from '#ui/form/picker.tsx';
import { useText } from '#ui/text/text.ts';
import { useSaved } from '../../app/page/changes/use-saved.ts';
import { usePeopleOptions, useDisplayName } from '../../app/page/use-display-name.ts';
import { useAttempt } from '../../app/page/use-attempt.ts';
import { useOneAtATime } from '../../app/page/use-one-at-a-time.ts';
import { LookAt } from '../../app/page/not-in-view.tsx';
import { useOrganization } from '#session/organization.ts';
import { PeopleSection } from './people-section.tsx';
import { PersonRow } from './person-row.tsx';
import { usePersonRemoving } from './use-person-removing.ts';

interface Props {
  readonly project: Of<'project'>;
}

/** Lists the people who do the authors’ steps of the project. */
export function Authors({ project }: Props) {
  const t = useText();
  const viewer = useViewer();
  const { rows } = useList('author', { project: project.id });
  return (
    <PeopleSection
      title={t('project.authors')}
      addLabel={t('project.addAuthor')}
      mayManage={answersFor(viewer, project)}
      total={rows.length}
      none={t('project.noAuthors')}
      meaning={t('project.authorForm.meaning')}
      form={<AddAuthor project={project} authors={rows} />}
    >
      {rows.map(({ id }) => (
        <OneAuthor key={id} id={id} project={project} />
      ))}
    </PeopleSection>
  );
}

function OneAuthor({ id, project }: Props & { readonly id: string }) {
  const t = useText();
  const nameOf = useDisplayName();
  const data = useData();
  const viewer = useViewer();
  const remove = usePersonRemoving();
  const { record: author, change } = useRecord('author', id);
  const { record: user } = useRecord('user', author?.user ?? null);
  if (author === null) return null;
  const name = nameOf(user);
  return (
    <PersonRow
      type="author"
      id={id}
      change={change}
      picture={author.user}
      removal={answersFor(viewer, project) ? t('project.removeAuthor', { name }) : null}
      onRemove={() => void remove(name, () => removeAuthor(data, author, project))}
    >
      <Link to={`/users/${author.user}`}>
        <bdi>{name}</bdi>
      </Link>
    </PersonRow>
  );
}

/** People of organization and group with the author's role who are none yet, by name (J8). */
function useCandidates(
  { organization, group }: Of<'project'>,
  authors: readonly Of<'author'>[],
): readonly Of<'user'>[] {
  const { rows: roles } = useList('userRole', { organization, roleName: 'Author' });
  const { rows: members } = useList('organizationMembership', { organization });
  const { rows: inGroup } = useList('groupMembership', { group });
  const { rows: users } = useList('user', {}, { sort: 'name' });
  const [holders, here, near, taken] = [roles, members, inGroup, authors].map(
    (rows) => new Set(rows.map(({ user }) => user)),
  );
  return users.filter(
    ({ id }) => holders?.has(id) && here?.has(id) && near?.has(id) && taken?.has(id) === false,
  );
}

function AddAuthor({ project, authors }: Props & { readonly authors: readonly Of<'author'>[] }) {
  const t = useText();
  const data = useData();
  const viewer = useViewer();
  const attempt = useAttempt();
  const saved = useSaved();
  const candidates = useCandidates(project, authors);
  const choicesOf = usePeopleOptions();
  const [chosen, choose] = useState<string | null>(null);
  const [isMissing, setMissing] = useState(false);
  const user = candidates.find(({ id }) => id === chosen) ?? null;

  const add = useOneAtATime(async () => {
    setMissing(user === null);
    if (user === null) return;
    const isDone = await attempt(t('errors.generic'), () => addAuthor(data, project, user.id));
    if (!isDone) return;
    choose(null);
    saved({ success: null });
  });
  const isInView = useOrganization() === project.organization;
  // Its people are on the device of a super admin only while it is in view.
  if (viewer.isSuperAdmin && !isInView)
    return (
      <>
        <p className="caption">{t('project.authorForm.elsewhere')}</p>
        <LookAt organization={project.organization} />
      </>
    );
  if (candidates.length === 0)
    return (
      <p className="caption">
        {t('project.noAuthorLeft')}
        {mayAdminister(viewer, project.organization) && (
          <>
            {' '}
            <Link to="/users">{t('sidebar.users')}</Link>
          </>
        )}
      </p>
    );
  return (
    <form
      className="people-form"
      noValidate
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        void add();
      }}
    >
      <Field
        label={t('project.authorForm.user')}
        isRequired
        error={isMissing && user === null ? t('project.authorForm.userError') : null}
      >
        {(tied) => (
          <Picker
            tied={tied}
            chosen={user?.id ?? null}
            options={choicesOf(candidates)}
            onChoose={choose}
          />
        )}
      </Field>
      <Button primary type="submit">
        {t('project.add')}
      </Button>
    </form>
  );
}
