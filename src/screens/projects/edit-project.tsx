import { useNavigate, useParams } from 'react-router-dom';
import { Segment } from 'semantic-ui-react';
import type { Of } from '#schema/index.ts';
import { editProject } from '#data/actions/projects.ts';
import type { ChangeState } from '#data/model/change.ts';
import { useData, useRecord } from '#data/react/hooks.ts';
import {
  badgeOf,
  RecordBadge,
  useNeedyChanges,
  recordMark,
} from '../app/page/changes/record-badge.tsx';
import { Skeleton } from '#ui/status/boxes.tsx';
import { PageHead } from '#ui/page/page-head.tsx';
import { useText } from '#ui/text/text.ts';
import { useSaved } from '../app/page/changes/use-saved.ts';
import { typedIn, useFieldErrors, useFieldNotes } from '../app/page/form/field-words.tsx';
import { usePageTitle } from '../app/page/page-title.ts';
import { LanguagePicker } from './fields/language-picker.tsx';
import { DescriptionField, NameField } from './fields/project-fields.tsx';
import { ProjectForm } from '../app/page/form/form.tsx';
import { useProjectForm } from '../app/page/form/use-form.ts';

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
type FieldName = (typeof FIELDS)[number];
type Fields = Readonly<Record<FieldName, string>>;

const isOfForm = (field: string): field is FieldName => FIELDS.some((name) => name === field);

function EditForm({ project, change }: Props) {
  const t = useText();
  const go = useNavigate();
  const data = useData();
  const saved = useSaved();
  // Where a creation was refused, the record shows what was typed, and an edit goes into that
  // creation.
  const needy = useNeedyChanges(project.id, change).filter(
    ({ typed }) => project.version > 0 && Object.keys(typed).every(isOfForm),
  );
  const initial: Fields = {
    name: project.name,
    language: project.language,
    description: project.description ?? '',
  };
  const form = useProjectForm(project.id, initial, typedIn(needy, isOfForm));
  const { fields, set, forget, isChanged } = form;
  const errorOf = useFieldErrors(useNeedyChanges(project.id, change), form);
  const noteOf = useFieldNotes(needy, form);
  const title = t('project.edit', { name: project.name });
  usePageTitle(title);
  const page = `/projects/${project.id}`;

  const isBlank = fields.name.trim() === '' || fields.language.trim() === '';
  const whyNot = isBlank
    ? t('project.needsNameAndLanguage')
    : isChanged
      ? null
      : t('forms.nothingChanged');
  const save = async () => {
    // They give way to the new change, which would otherwise wait for them.
    const putBack: (() => Promise<void>)[] = [];
    for (const { id } of needy) putBack.unshift(await data.changes.discard(id));
    try {
      await editProject(data, project, {
        name: fields.name.trim(),
        language: fields.language.trim(),
        description: fields.description.trim() === '' ? null : fields.description,
      });
    } catch (error) {
      for (const back of putBack) await back();
      throw error;
    }
    forget();
    saved({ success: null });
    void go(page);
  };
  const propsOf = (field: FieldName) => ({
    value: fields[field],
    error: errorOf(field),
    note: noteOf(field),
    onChange: (value: string) => {
      set({ [field]: value });
    },
  });

  return (
    <div data-record={recordMark('project', project.id)} data-change={badgeOf(change) ?? undefined}>
      <PageHead
        title={title}
        {...(badgeOf(change) === null
          ? {}
          : { context: <RecordBadge record={project.id} change={change} showsReason /> })}
      />
      <Segment>
        <ProjectForm
          form={form}
          whyNot={whyNot}
          speaking={FIELDS}
          onSave={() => void form.save(save)}
          onCancel={() => void go(page)}
        >
          <NameField takesFocus {...propsOf('name')} />
          <LanguagePicker before={project.language} {...propsOf('language')} />
          <DescriptionField {...propsOf('description')} />
        </ProjectForm>
      </Segment>
    </div>
  );
}
