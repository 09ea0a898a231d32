import { useEffect, useId, useRef, useState } from 'react';
import { Segment } from 'semantic-ui-react';
import type { Of } from '#schema/index.ts';
import { addGroup, removeGroup, renameGroup } from '#data/actions/organizations.ts';
import type { GroupNames } from '#data/actions/organizations.ts';
import type { ChangeState } from '#data/model/change.ts';
import { useData, useFind, useList, useRecord } from '#data/react/hooks.ts';
import { Button } from '#ui/form/controls.tsx';
import { Icon } from '#ui/picture/icon.tsx';
import { EmptyBox } from '#ui/status/boxes.tsx';
import { useText } from '#ui/text/text.ts';
import { Dot } from '#ui/value/values.tsx';
import { RecordBadge, recordMarks } from '../app/page/changes/record-badge.tsx';
import { WithoutRows } from '../app/page/device/not-here.tsx';
import { RecordFields, useRecordFields } from '../app/page/form/record-fields.tsx';
import { Form } from '../app/page/form-page.tsx';
import { useSwitching } from '../app/page/held-switch.tsx';
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
  const list = useList('group', { owner: organization }, { sort: 'name' });
  const { state, rows } = list;
  const [isAdding, setAdding] = useState(false);
  const close = () => {
    setAdding(false);
  };
  if (state !== 'ready') return <WithoutRows list={list} empty={null} />;
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
          key={organization}
          draft={`new.group.${organization}`}
          group={null}
          change={null}
          label={t('org.addGroup')}
          success={t('org.groupCreated')}
          onSave={(names) => addGroup(data, organization, names)}
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
  const why = useId();
  const { change } = useRecord('group', group.id);
  const [isEditing, setEditing] = useState(false);
  const editButton = useRef<HTMLButtonElement>(null);
  const { id, name, abbreviation } = group;
  const members = find.all('groupMembership', { group: id }).length;
  const projects = find.all('project', { group: id }).length;
  const removing = useSwitching(() => t('org.groupDeleted'));
  if (isEditing)
    return (
      <li className="group-row" {...recordMarks({ type: 'group', id, change })}>
        <GroupForm
          group={group}
          change={change}
          label={t('org.editGroup', { name })}
          success={t('org.groupEdited')}
          onSave={(names) => renameGroup(data, group, names)}
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
        {t('org.membersCount', { count: members })}
        <Dot />
        {t('org.projectsCount', { count: projects })}
      </span>
      <RecordBadge record={id} change={change} showsReason />
      <button
        type="button"
        className="icon-button"
        aria-label={t('org.removeGroup', { name })}
        aria-describedby={why}
        title={projects > 0 ? t('org.groupHasProjects', { count: projects }) : undefined}
        disabled={projects > 0}
        onClick={() => void removing(false, () => removeGroup(data, group))}
      >
        <Icon name="close" />
      </button>
    </li>
  );
}

interface GroupFormProps {
  /** Null: a new one. */
  readonly group: Group | null;
  /** The name under which what is typed of a new one survives a reload. */
  readonly draft?: string;
  readonly change: ChangeState | null;
  readonly label: string;
  readonly success: string;
  readonly onSave: (names: GroupNames) => Promise<unknown>;
  readonly onClose: () => void;
}

/** Name and abbreviation of a group; both must be there before anything is saved. */
function GroupForm(props: GroupFormProps) {
  const { group, draft, change, label, success, onSave, onClose } = props;
  const t = useText();
  const fields = [
    { name: 'name', missing: t('org.nameError') },
    { name: 'abbreviation', missing: t('org.abbreviationError') },
  ];
  const form = useRecordFields('group', group, change, fields, draft);
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    place.current?.querySelector('input')?.focus();
  }, []);
  return (
    <div ref={place} className="group-form">
      <Form
        form={form}
        label={label}
        whyNot={null}
        isValid={form.isValid}
        speaking={form.speaking}
        success={success}
        onSave={async () => {
          const { name = '', abbreviation = '' } = form.stated();
          await onSave({ name, abbreviation });
          onClose();
          return null;
        }}
        onCancel={() => {
          form.forget();
          onClose();
        }}
      >
        <div className="group-fields">
          <RecordFields type="group" form={form} fields={fields} />
        </div>
      </Form>
    </div>
  );
}
