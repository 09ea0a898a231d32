import { useParams } from 'react-router-dom';
import { Segment } from 'semantic-ui-react';
import type { TaskForm, TaskList } from '#protocol/task-forms.ts';
import { useViewer } from '#data/react/hooks.ts';
import { Note } from '#ui/status/boxes.tsx';
import { Button } from '#ui/form/controls.tsx';
import { PageHead } from '#ui/page/page-head.tsx';
import { useText, useTextOf } from '#ui/text/text.ts';
import type { TextKey } from '#ui/text/text.ts';
import { usePageTitle } from '../app/page/page-title.ts';
import { NotFound } from '../app/page/not-found.tsx';
import { Instructions } from './form/instructions.tsx';
import { NeedsTaskForms } from './form/needs-task-forms.tsx';
import './flow.css';

const TITLES = {
  artifacts: 'flow.files',
  reviewers: 'flow.reviewers',
  repository: 'repository.title',
} as const satisfies Record<TaskList['kind'], TextKey>;

/** `/form/{form}`: a form by itself, for super admins to look at. */
export function FormPreview() {
  const { form: wanted = '' } = useParams();
  const { isSuperAdmin } = useViewer();
  if (!isSuperAdmin) return <NotFound />;
  return (
    <NeedsTaskForms>
      {({ forms }) => {
        const form = forms.find(({ name }) => name === wanted);
        return form === undefined ? <NotFound /> : <OneForm form={form} />;
      }}
    </NeedsTaskForms>
  );
}

function OneForm({ form }: { readonly form: TaskForm }) {
  const t = useText();
  const textOf = useTextOf();
  const title = textOf(form.title, form.name);
  usePageTitle(title);
  return (
    <div className="flow" data-form={form.name}>
      <PageHead title={title} />
      <Note tone="info">{t('flow.preview', { form: form.name })}</Note>
      <Segment className="flow-work">
        {form.instructions !== null && <Instructions text={textOf(form.instructions, '')} />}
        <dl className="facts">
          {form.fields.map((field) => (
            <div className="fact-pair" key={field}>
              <dt>{t(`flow.field.${field}`)}</dt>
              <dd>--</dd>
            </div>
          ))}
        </dl>
        {form.lists.map((list) => (
          <section key={list.kind}>
            <h2>{t(TITLES[list.kind])}</h2>
            <p className="soft">
              {list.kind === 'artifacts' && list.types !== null ? list.types.join(', ') : '--'}
            </p>
          </section>
        ))}
        {form.commands.length > 0 && (
          <div className="flow-buttons">
            {form.commands.map(({ name, label }) => (
              <Button key={name} disabled>
                {textOf(label, name)}
              </Button>
            ))}
          </div>
        )}
      </Segment>
    </div>
  );
}
