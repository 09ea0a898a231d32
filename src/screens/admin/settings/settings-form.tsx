import type { ReactNode } from 'react';
import { useNavigate } from 'react-router-dom';
import type { Of, TypeName } from '#schema/index.ts';
import type { ChangeState } from '#data/model/change.ts';
import { useText } from '#ui/text/text.ts';
import type { RecordFieldsForm } from '../../app/page/form/record-fields.tsx';
import { FormPage } from '../../app/page/form-page.tsx';
import { RemoveRecord } from './remove-record.tsx';

interface Props<T extends TypeName> {
  readonly type: T;
  /** Null: a new one. */
  readonly record: (Of<T> & { readonly name: string | null }) | null;
  readonly change: ChangeState | null;
  readonly form: RecordFieldsForm<T>;
  /** The address of the list that it is in. */
  readonly list: string;
  /** The title of a new one, and what is said when it is added, and when it is edited. */
  readonly texts: Readonly<Record<'add' | 'added' | 'edited', string>>;
  readonly onSave: () => Promise<unknown>;
  readonly onRemove: (record: Of<T>) => Promise<void>;
  readonly children: ReactNode;
}

/** The page of a form of the settings: it adds a record, or edits and deletes it, and leads to the list. */
export function SettingsForm<T extends TypeName>(props: Props<T>) {
  const { type, record, change, form, list, texts, onSave, onRemove, children } = props;
  const t = useText();
  const go = useNavigate();
  const shared = {
    form,
    className: 'settings-form',
    whyNot: null,
    isValid: form.isValid,
    speaking: form.speaking,
    onSave: async () => {
      await onSave();
      return list;
    },
    onCancel: () => void go(list),
    children,
  };
  if (record === null)
    return (
      <FormPage
        {...shared}
        title={texts.add}
        saveLabel={t('admin.settings.add')}
        success={texts.added}
      />
    );
  const name = record.name ?? '';
  return (
    <FormPage
      {...shared}
      title={name}
      record={{ type, id: record.id, change }}
      success={texts.edited}
      after={
        <RemoveRecord
          type={type}
          record={record}
          name={name}
          list={list}
          onRemove={() => onRemove(record)}
        />
      }
    />
  );
}
