import { Fragment } from 'react';
import { Link, useNavigate, useParams } from 'react-router-dom';
import type { Of } from '#schema/index.ts';
import { addToCatalogue, editCatalogue, removeFromCatalogue } from '#data/actions/catalogue.ts';
import type { CatalogueType } from '#data/actions/catalogue.ts';
import type { ChangeState } from '#data/model/change.ts';
import { useData, useList, useRecord } from '#data/react/hooks.ts';
import { Icon } from '#ui/picture/icon.tsx';
import { EmptyBox } from '#ui/status/boxes.tsx';
import { useText } from '#ui/text/text.ts';
import { RecordFields, useRecordFields } from '../../app/page/form/record-fields.tsx';
import { FormPage } from '../../app/page/form-page.tsx';
import { Found, superAdmins } from '../../app/page/guards.tsx';
import { AREAS, areaPath, RELATIONS, textsOf, useFieldsOf, useRelationsOf } from './areas.ts';
import type { AreaName } from './areas.ts';
import { RemoveRecord } from './remove-record.tsx';
import { SettingsList, SettingsRow } from './settings-list.tsx';
import { AdminSettings } from './settings.tsx';

interface AreaProps {
  readonly area: AreaName;
}

/** `/admin/settings/{area}`: the records of one kind, of which a form adds others. */
export function CatalogueList({ area }: AreaProps) {
  const t = useText();
  const list = useList(AREAS[area], {});
  const relationsOf = useRelationsOf(area);
  const texts = textsOf[area];
  const titles = RELATIONS[area].map((title) => t(title));
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
        rowOf={(id) => {
          const record = list.rows.find((row) => row.id === id);
          if (record === undefined) return null;
          const relations = relationsOf(record).map((content, n) => ({
            title: titles[n] ?? '',
            content: <TechnicalName name={content} />,
          }));
          return (
            <SettingsRow
              key={id}
              type={AREAS[area]}
              id={id}
              name={record.name ?? ''}
              to={areaPath(area, `/${id}/edit`)}
              about={record.description}
              cells={relations}
            />
          );
        }}
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
  const { change } = useRecord(AREAS[area], recordId);
  return (
    <AdminSettings>
      <Found type={AREAS[area]} id={recordId} guard={superAdmins}>
        {(record) => <CatalogueForm key={record.id} area={area} record={record} change={change} />}
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
  const go = useNavigate();
  const data = useData();
  const type: CatalogueType = AREAS[area];
  const texts = textsOf[area];
  const fields = useFieldsOf(area, record);
  const form = useRecordFields(type, record, change, fields);
  const list = areaPath(area);
  const name = record?.name ?? '';
  return (
    <FormPage
      title={record === null ? t(`${texts}.add`) : name}
      {...(record === null ? {} : { record: { type, id: record.id, change } })}
      form={form}
      className="settings-form"
      whyNot={null}
      isValid={form.isValid}
      speaking={form.speaking}
      saveLabel={t(record === null ? 'admin.settings.add' : 'common.save')}
      success={t(record === null ? `${texts}.added` : `${texts}.edited`)}
      onSave={async () => {
        if (record === null) await addToCatalogue(data, type, form.stated());
        else await editCatalogue(data, type, record, form.stated());
        return list;
      }}
      onCancel={() => void go(list)}
      after={
        record !== null && (
          <RemoveRecord
            type={type}
            record={record}
            name={name}
            list={list}
            onRemove={() => removeFromCatalogue(data, type, record)}
          />
        )
      }
    >
      <RecordFields type={type} form={form} fields={fields} />
    </FormPage>
  );
}
