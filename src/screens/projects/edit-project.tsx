import { useNavigate, useParams } from 'react-router-dom';
import type { Of } from '#schema/index.ts';
import { editProject } from '#data/actions/projects.ts';
import type { ChangeState } from '#data/model/change.ts';
import { useData, useRecord } from '#data/react/hooks.ts';
import { Skeleton } from '#ui/status/boxes.tsx';
import { useText } from '#ui/text/text.ts';
import { FormPage } from '../app/page/form-page.tsx';
import { useRecordForm } from '../app/page/form/use-record-form.tsx';
import { LanguagePicker } from './fields/language-picker.tsx';
import { DescriptionField, NameField } from './fields/project-fields.tsx';

/** `/projects/{id}/edit` */
export function EditProject() {
  const { projectId = null } = useParams();
  const { record, change } = useRecord('project', projectId);
  if (record === null) return <Skeleton rows={3} />;
  return <EditForm key={record.id} project={record} change={change} />;
}

interface Props {
  readonly project: Of<'project'>;
  readonly change: ChangeState | null;
}

const FIELDS = ['name', 'language', 'description'] as const;

function EditForm({ project, change }: Props) {
  const t = useText();
  const go = useNavigate();
  const data = useData();
  const initial = {
    name: project.name,
    language: project.language,
    description: project.description ?? '',
  };
  const form = useRecordForm(project, change, initial, FIELDS);
  const { fields, isChanged, propsOf } = form;
  const page = `/projects/${project.id}`;

  const isBlank = fields.name.trim() === '' || fields.language.trim() === '';
  const whyNot = isBlank
    ? t('project.needsNameAndLanguage')
    : isChanged
      ? null
      : t('forms.nothingChanged');
  const save = async () => {
    await editProject(data, project, {
      name: fields.name.trim(),
      language: fields.language.trim(),
      description: fields.description.trim() === '' ? null : fields.description,
    });
    return page;
  };

  return (
    <FormPage
      title={t('project.edit', { name: project.name })}
      record={{ type: 'project', id: project.id, change }}
      form={form}
      whyNot={whyNot}
      speaking={FIELDS}
      success={null}
      onSave={save}
      onCancel={() => void go(page)}
    >
      <NameField takesFocus {...propsOf('name')} />
      <LanguagePicker before={project.language} {...propsOf('language')} />
      <DescriptionField {...propsOf('description')} />
    </FormPage>
  );
}
