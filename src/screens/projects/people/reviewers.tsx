import { useRef, useState } from 'react';
import type { FormEvent } from 'react';
import { answersFor } from '#rules/project.ts';
import { isEmail } from '#rules/valid/value.ts';
import type { Of } from '#schema/index.ts';
import { LOCALES } from '#schema/user.ts';
import { addReviewer, removeReviewer } from '#data/actions/people.ts';
import { useData, useList, useRecord, useViewer } from '#data/react/hooks.ts';
import { Button } from '#ui/form/controls.tsx';
import { Field } from '#ui/form/field.tsx';
import { LANGUAGES, useLanguage, useText } from '#ui/text/text.ts';
import type { Language, TextKey } from '#ui/text/text.ts';
import { useSaved } from '../../app/page/changes/use-saved.ts';
import { useAttempt } from '../../app/page/use-attempt.ts';
import { useOneAtATime } from '../../app/page/use-one-at-a-time.ts';
import { PeopleSection } from './people-section.tsx';
import { PersonRow } from './person-row.tsx';
import { usePersonRemoving } from './use-person-removing.ts';

interface Props {
  readonly project: Of<'project'>;
}

const NAME_AT_MOST = 250;

/** Lists the people who are sent files of the project to look at, without an account. */
export function Reviewers({ project }: Props) {
  const t = useText();
  const viewer = useViewer();
  const { rows } = useList('reviewer', { project: project.id }, { sort: 'name' });
  return (
    <PeopleSection
      title={t('project.reviewers')}
      addLabel={t('project.addReviewer')}
      mayManage={answersFor(viewer, project)}
      total={rows.length}
      none={t('project.noReviewers')}
      meaning={t('project.reviewerForm.meaning')}
      form={<AddReviewer project={project} reviewers={rows} />}
    >
      {rows.map(({ id }) => (
        <OneReviewer key={id} id={id} project={project} />
      ))}
    </PeopleSection>
  );
}

function OneReviewer({ id, project }: Props & { readonly id: string }) {
  const t = useText();
  const data = useData();
  const viewer = useViewer();
  const remove = usePersonRemoving();
  const { record: reviewer, change } = useRecord('reviewer', id);
  if (reviewer === null) return null;
  const { name, email, locale } = reviewer;
  return (
    <PersonRow
      type="reviewer"
      id={id}
      change={change}
      picture={email}
      removal={answersFor(viewer, project) ? t('project.removeReviewer', { name }) : null}
      onRemove={() => void remove(name, () => removeReviewer(data, reviewer, project))}
    >
      <span>
        <bdi>{name}</bdi> <bdi className="soft">({email})</bdi>
      </span>
      <span className="caption">{LANGUAGES[locale]}</span>
    </PersonRow>
  );
}

/** Says what is wrong with what was typed, by field. */
function faultsOf(name: string, email: string): { name: TextKey | null; email: TextKey | null } {
  const wrongEmail = isEmail(email.trim())
    ? null
    : email.trim() === ''
      ? 'project.reviewerForm.emptyEmailError'
      : 'project.reviewerForm.invalidEmailError';
  return { name: name.trim() === '' ? 'project.reviewerForm.nameError' : null, email: wrongEmail };
}

function AddReviewer({
  project,
  reviewers,
}: Props & { readonly reviewers: readonly Of<'reviewer'>[] }) {
  const t = useText();
  const data = useData();
  const { user: viewer } = useViewer();
  const own = useLanguage();
  const attempt = useAttempt();
  const saved = useSaved();
  const [name, setName] = useState('');
  const [email, setEmail] = useState('');
  const [locale, setLocale] = useState<Language>(viewer.locale ?? own);
  const [isChecked, setChecked] = useState(false);
  const nameInput = useRef<HTMLInputElement>(null);

  const faults = faultsOf(name, email);
  const shown = (fault: TextKey | null) => (isChecked && fault !== null ? t(fault) : null);
  const isThere = reviewers.some(
    (other) => other.email.toLowerCase() === email.trim().toLowerCase(),
  );
  const add = useOneAtATime(async () => {
    setChecked(true);
    if (faults.name !== null || faults.email !== null) return;
    const fields = { name, email: email.trim(), locale };
    const isDone = await attempt(t('errors.generic'), () => addReviewer(data, project, fields));
    if (!isDone) return;
    setName('');
    setEmail('');
    setChecked(false);
    nameInput.current?.focus();
    saved({ success: null });
  });
  return (
    <form
      className="people-form"
      noValidate
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        void add();
      }}
    >
      <Field label={t('project.reviewerForm.name')} isRequired error={shown(faults.name)}>
        {(tied) => (
          <input
            {...tied}
            ref={nameInput}
            maxLength={NAME_AT_MOST}
            value={name}
            onChange={(event) => {
              setName(event.target.value);
            }}
          />
        )}
      </Field>
      <Field
        label={t('project.reviewerForm.email')}
        isRequired
        error={shown(faults.email)}
        note={isThere ? t('project.reviewerForm.isThere') : null}
      >
        {(tied) => (
          <input
            {...tied}
            type="email"
            value={email}
            onChange={(event) => {
              setEmail(event.target.value);
            }}
          />
        )}
      </Field>
      <Field label={t('project.reviewerForm.language')}>
        {(tied) => (
          <select
            {...tied}
            value={locale}
            onChange={(event) => {
              const found = LOCALES.find((each) => each === event.target.value);
              if (found !== undefined) setLocale(found);
            }}
          >
            {LOCALES.map((each) => (
              <option key={each} value={each}>
                {LANGUAGES[each]}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Button primary type="submit">
        {t('project.add')}
      </Button>
    </form>
  );
}
