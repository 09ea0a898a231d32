import { useState } from 'react';
import { useNavigate, useParams } from 'react-router-dom';
import { Segment } from 'semantic-ui-react';
import { wireTypeOf } from '#protocol/names.ts';
import { ProblemError } from '#protocol/problem.ts';
import type { Of } from '#schema/index.ts';
import { editProject } from '#data/actions/projects.ts';
import { NotSavedError } from '#data/change.ts';
import { useData } from '#data/use-data.ts';
import { useRecord } from '#data/use-record.ts';
import { badgeOf, ChangeBadge } from '#ui/change-badge.tsx';
import { Skeleton } from '#ui/boxes.tsx';
import { PageHead } from '#ui/page-head.tsx';
import { useText } from '#ui/text.ts';
import { useToast } from '#ui/toasts.tsx';
import { useOpenChanges } from '../changes/changes-context.ts';
import { usePageTitle } from '../shell/page-title.ts';
import { LanguagePicker } from './language-picker.tsx';
import { LeaveDialog } from './leave-dialog.tsx';
import { DescriptionField, NameField, ProjectForm } from './project-fields.tsx';
import { useDraft, useLeaveGuard } from './use-draft.ts';

/** `/projects/{id}/edit` */
export function EditProject() {
  const { projectId = null } = useParams();
  const { record, change } = useRecord('project', projectId);
  if (record === null) return <Skeleton rows={3} />;
  return <EditForm key={record.id} project={record} change={change} />;
}

interface Props {
  readonly project: Of<'project'>;
  readonly change: string | null;
}

function EditForm({ project, change }: Props) {
  const t = useText();
  const go = useNavigate();
  const data = useData();
  const show = useToast();
  const openChanges = useOpenChanges();
  const badge = badgeOf(change);
  const [isSaving, setSaving] = useState(false);
  const { fields, set, forget, isChanged } = useDraft(project.id, {
    name: project.name,
    language: project.language,
    description: project.description ?? '',
  });
  const guard = useLeaveGuard(isChanged && !isSaving);
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
    setSaving(true);
    try {
      await editProject(data, project, {
        name: fields.name.trim(),
        language: fields.language.trim(),
        description: fields.description.trim() === '' ? null : fields.description,
      });
      forget();
      void go(page);
    } catch (error) {
      if (!(error instanceof NotSavedError) && !(error instanceof ProblemError)) throw error;
      setSaving(false);
      const detail = error instanceof ProblemError ? t('errors.checkForm') : t('errors.notSaved');
      show({ tone: 'error', title: t('project.editError'), detail });
    }
  };

  return (
    <div data-record={`${wireTypeOf('project')}:${project.id}`} data-change={badge ?? undefined}>
      <PageHead
        title={title}
        {...(badge === null ? {} : { context: <ChangeBadge badge={badge} onOpen={openChanges} /> })}
      />
      <Segment>
        <ProjectForm
          whyNot={whyNot}
          isSaving={isSaving}
          onSave={() => void save()}
          onCancel={() => void go(page)}
        >
          <NameField
            takesFocus
            value={fields.name}
            onChange={(name) => {
              set({ name });
            }}
          />
          <LanguagePicker
            value={fields.language}
            before={project.language}
            onChange={(language) => {
              set({ language });
            }}
          />
          <DescriptionField
            value={fields.description}
            onChange={(description) => {
              set({ description });
            }}
          />
        </ProjectForm>
      </Segment>
      {guard.state === 'blocked' && (
        <LeaveDialog
          onKeep={() => {
            guard.reset();
          }}
          onDiscard={() => {
            forget();
            guard.proceed();
          }}
        />
      )}
    </div>
  );
}
