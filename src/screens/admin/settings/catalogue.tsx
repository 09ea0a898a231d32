import { Fragment } from 'react';
import { Link, useParams } from 'react-router-dom';
import type { Of } from '#schema/index.ts';
import { addToCatalogue, editCatalogue, removeFromCatalogue } from '#data/actions/catalogue.ts';
import type { CatalogueType } from '#data/actions/catalogue.ts';
import type { ChangeState } from '#data/model/change.ts';
import { useData, useList } from '#data/react/hooks.ts';
import { Icon } from '#ui/picture/icon.tsx';
import { EmptyBox } from '#ui/status/boxes.tsx';
import { useText } from '#ui/text/text.ts';
import { RecordFields, useRecordFields } from '../../app/page/form/record-fields.tsx';
import { Found, superAdmins } from '../../app/page/guards.tsx';
import { AREAS, areaPath, useFieldsOf, useRelationsOf } from './areas.ts';
import type { AreaName } from './areas.ts';
import { SettingsForm } from './settings-form.tsx';
import { SettingsList, SettingsRow } from './settings-list.tsx';
import { AdminSettings } from './settings.tsx';

interface AreaProps {
  readonly area: AreaName;
}

/** `/admin/settings/{area}`: the records of one kind, of which a form adds others. */
export function CatalogueList({ area }: AreaProps) {
  const t = useText();
  const { type, texts, relations } = AREAS[area];
  const list = useList(type, {});
  const relationsOf = useRelationsOf(area);
  const titles = relations.map((title) => t(title));
  const add = (
    <Link className="ui primary button" to={areaPath(area, '/new')}>
      <Icon name="add" />
      {t(`${texts}.add`)}
    </Link>
  );
  return (
    <AdminSettings>
      <SettingsList
        title={t(`${texts}.title`)}
        list={list}
        columns={titles}
        actions={add}
        empty={
          <EmptyBox icon="folder" title={t(`${texts}.empty`)} action={add}>
            {t(`${texts}.emptyText`)}
          </EmptyBox>
        }
        rowOf={(record) => (
          <SettingsRow
            key={record.id}
            type={type}
            id={record.id}
            name={record.name ?? ''}
            about={record.description}
            to={areaPath(area, `/${record.id}/edit`)}
            cells={relationsOf(record).map((content, n) => ({
              title: titles[n] ?? '',
              content: <TechnicalName name={content} />,
            }))}
          />
        )}
      />
    </AdminSettings>
  );
}

/** A name such as `android_google_play`, which breaks between its words. */
function TechnicalName({ name }: { readonly name: string }) {
  const [first, ...others] = name.split('_');
  return (
    <bdi>
      {first}
      {others.map((word, n) => (
        <Fragment key={n}>
          _<wbr />
          {word}
        </Fragment>
      ))}
    </bdi>
  );
}

/** `/admin/settings/{area}/new` */
export function NewInCatalogue({ area }: AreaProps) {
  return (
    <AdminSettings>
      <CatalogueForm area={area} record={null} change={null} />
    </AdminSettings>
  );
}

/** `/admin/settings/{area}/{id}/edit` */
export function EditInCatalogue({ area }: AreaProps) {
  const { recordId = '' } = useParams();
  const type: CatalogueType = AREAS[area].type;
  return (
    <AdminSettings>
      <Found type={type} id={recordId} guard={superAdmins}>
        {(record, change) => (
          <CatalogueForm key={record.id} area={area} record={record} change={change} />
        )}
      </Found>
    </AdminSettings>
  );
}

interface FormProps extends AreaProps {
  /** Null: a new one. */
  readonly record: Of<CatalogueType> | null;
  readonly change: ChangeState | null;
}

function CatalogueForm({ area, record, change }: FormProps) {
  const t = useText();
  const data = useData();
  const { texts } = AREAS[area];
  const type: CatalogueType = AREAS[area].type;
  const fields = useFieldsOf(area, record);
  const form = useRecordFields(type, record, change, fields);
  return (
    <SettingsForm
      type={type}
      record={record}
      change={change}
      form={form}
      list={areaPath(area)}
      texts={{ add: t(`${texts}.add`), added: t(`${texts}.added`), edited: t(`${texts}.edited`) }}
      onSave={() =>
        record === null
          ? addToCatalogue(data, type, form.stated())
          : editCatalogue(data, type, record, form.stated())
      }
      onRemove={(removed) => removeFromCatalogue(data, type, removed)}
    >
      <RecordFields type={type} form={form} fields={fields} />
    </SettingsForm>
  );
}
