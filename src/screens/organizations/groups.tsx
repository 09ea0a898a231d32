import { useEffect, useId, useRef, useState } from 'react';
import type { FormEvent, KeyboardEvent } from 'react';
import { Segment } from 'semantic-ui-react';
import type { Of } from '#schema/index.ts';
import { addGroup, removeGroup, renameGroup } from '#data/actions/organizations.ts';
import type { GroupNames } from '#data/actions/organizations.ts';
import { useData, useFind, useList, useRecord } from '#data/react/hooks.ts';
import { Button } from '#ui/form/controls.tsx';
import { TextField } from '#ui/form/text-field.tsx';
import { Icon } from '#ui/picture/icon.tsx';
import { EmptyBox, Note, Skeleton } from '#ui/status/boxes.tsx';
import { useText } from '#ui/text/text.ts';
import { RecordBadge, recordMarks } from '../app/page/changes/record-badge.tsx';
import { useSaved } from '../app/page/changes/use-saved.ts';
import { useForm } from '../app/page/form/use-form.ts';
import { useAttempt } from '../app/page/use-attempt.ts';
import { useOneAtATime } from '../app/page/use-one-at-a-time.ts';
import { SettingsPart } from './settings.tsx';

type Group = Of<'group'>;

/** `/organizations/{orgId}/settings/groups` */
export function OrganizationGroups() {
  const t = useText();
  return (
    <SettingsPart title={t('org.settings.groups')}>
      {(organization) => (
        <Segment>
          <h2>{t('org.settings.groups')}</h2>
          <p className="soft">{t('org.groupsText')}</p>
          <Groups organization={organization.id} />
        </Segment>
      )}
    </SettingsPart>
  );
}

function Groups({ organization }: { readonly organization: string }) {
  const t = useText();
  const data = useData();
  const saved = useSaved();
  const { state, rows } = useList('group', { owner: organization }, { sort: 'name' });
  const [isAdding, setAdding] = useState(false);
  const close = () => {
    setAdding(false);
  };
  if (state !== 'ready') return <Skeleton rows={3} />;
  const add = (
    <Button
      primary
      onClick={() => {
        setAdding(true);
      }}
    >
      {t('org.addGroup')}
    </Button>
  );
  return (
    <>
      {isAdding ? (
        <GroupForm
          draft={`group.${organization}`}
          label={t('org.addGroup')}
          initial={{ name: '', abbreviation: '' }}
          onSave={async (names) => {
            await addGroup(data, organization, names);
            saved({ success: t('org.groupCreated') });
          }}
          onClose={close}
        />
      ) : (
        rows.length > 0 && <p>{add}</p>
      )}
      {rows.length === 0 && !isAdding && (
        <EmptyBox icon="people" title={t('org.noGroups')} action={add}>
          {t('org.noGroupsText')}
        </EmptyBox>
      )}
      <ul className="group-list" aria-label={t('org.settings.groups')}>
        {rows.map((group) => (
          <GroupRow key={group.id} group={group} />
        ))}
      </ul>
    </>
  );
}

function GroupRow({ group }: { readonly group: Group }) {
  const t = useText();
  const data = useData();
  const find = useFind();
  const attempt = useAttempt();
  const saved = useSaved();
  const why = useId();
  const { change } = useRecord('group', group.id);
  const [isEditing, setEditing] = useState(false);
  const editButton = useRef<HTMLButtonElement>(null);
  const { id, name, abbreviation } = group;
  const members = find.all('groupMembership', { group: id }).length;
  const projects = find.all('project', { group: id }).length;
  const remove = useOneAtATime(async () => {
    let undo: () => Promise<unknown> = () => Promise.resolve();
    const act = async () => {
      undo = await removeGroup(data, group);
    };
    if (await attempt(t('errors.generic'), act))
      saved({
        success: t('org.groupDeleted'),
        undo: () => void attempt(t('errors.generic'), undo),
      });
  });
  if (isEditing)
    return (
      <li className="group-row" {...recordMarks({ type: 'group', id, change })}>
        <GroupForm
          draft={id}
          label={t('org.editGroup', { name })}
          initial={{ name, abbreviation }}
          onSave={async (names) => {
            await renameGroup(data, group, names);
            saved({ success: t('org.groupEdited') });
          }}
          onClose={() => {
            setEditing(false);
            // Where the form was closed, the way back into it comes first.
            requestAnimationFrame(() => editButton.current?.focus());
          }}
        />
      </li>
    );
  return (
    <li className="group-row" {...recordMarks({ type: 'group', id, change })}>
      <button
        ref={editButton}
        type="button"
        className="group-names link-button"
        aria-label={t('org.editGroup', { name })}
        onClick={() => {
          setEditing(true);
        }}
      >
        <bdi>{name}</bdi> <span className="caption">({abbreviation})</span>
      </button>
      <span className="caption group-counts" id={why}>
        {t('org.membersCount', { count: members })} · {t('org.projectsCount', { count: projects })}
      </span>
      <RecordBadge record={id} change={change} showsReason />
      <button
        type="button"
        className="icon-button"
        aria-label={t('org.removeGroup', { name })}
        aria-describedby={why}
        title={projects > 0 ? t('org.groupHasProjects', { count: projects }) : undefined}
        disabled={projects > 0}
        onClick={() => void remove()}
      >
        <Icon name="close" />
      </button>
    </li>
  );
}

interface GroupFormProps {
  /** What is typed survives a reload under this name. */
  readonly draft: string;
  readonly label: string;
  readonly initial: GroupNames;
  readonly onSave: (names: GroupNames) => Promise<void>;
  readonly onClose: () => void;
}

/** Name and abbreviation of a group; both must be there before anything is saved. */
function GroupForm({ draft, label, initial, onSave, onClose }: GroupFormProps) {
  const t = useText();
  const form = useForm(draft, { ...initial });
  const [isChecked, setChecked] = useState(false);
  const [refusals, setRefusals] = useState(0);
  const element = useRef<HTMLFormElement>(null);
  const { fields, trouble } = form;
  const missing = {
    name: fields.name.trim() === '' ? t('org.nameError') : null,
    abbreviation: fields.abbreviation.trim() === '' ? t('org.abbreviationError') : null,
  };
  const errorOf = (name: keyof GroupNames) =>
    (isChecked ? missing[name] : null) ?? form.propsOf(name).error;
  useEffect(() => {
    element.current?.querySelector('input')?.focus();
  }, []);
  useEffect(() => {
    if (refusals > 0) element.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus();
  }, [refusals]);
  const save = () => {
    setChecked(true);
    if (missing.name !== null || missing.abbreviation !== null) {
      setRefusals(refusals + 1);
      return;
    }
    void form.save(async () => {
      await onSave({ name: fields.name.trim(), abbreviation: fields.abbreviation.trim() });
      form.forget();
      onClose();
    });
  };
  const cancel = () => {
    form.forget();
    onClose();
  };
  return (
    <form
      ref={element}
      className="ui form group-form"
      aria-label={label}
      noValidate
      onKeyDown={(event: KeyboardEvent) => {
        if (event.key === 'Escape') cancel();
      }}
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        save();
      }}
    >
      <div className="group-fields">
        <TextField
          label={t('fields.name')}
          isRequired
          atMost={250}
          {...form.propsOf('name')}
          error={errorOf('name')}
        />
        <TextField
          label={t('fields.abbreviation')}
          isRequired
          atMost={20}
          {...form.propsOf('abbreviation')}
          error={errorOf('abbreviation')}
        />
      </div>
      <div role="alert">
        {trouble !== null && trouble.field !== 'name' && trouble.field !== 'abbreviation' && (
          <Note tone="error">
            <strong>{t('forms.notYetSaved')}</strong>
            <p>{trouble.reason}</p>
          </Note>
        )}
      </div>
      <div className="form-foot">
        <Button onClick={cancel}>{t('common.cancel')}</Button>
        <Button primary type="submit" disabled={form.isSaving} loading={form.isSaving}>
          {t('common.save')}
        </Button>
      </div>
    </form>
  );
}
