import { toOnesOf } from '#schema/index.ts';
import type { Of } from '#schema/index.ts';
import type { ChangeRow } from '#data/model/views.ts';
import { useFind } from '#data/react/hooks.ts';
import { flowPathOf } from '../flow/task.tsx';
import { addressOfView } from '../app/page/views/use-views.ts';

interface Places {
  /** The page that shows the record; null where there is none. */
  readonly page: string | null;
  /**
   * The form in which the typed values can be corrected; null when the record is not here any more.
   */
  readonly form: string | null;
}

const IN_THE_FORM: ReadonlySet<string> = new Set(['name', 'language', 'description']);

/** Finds where a change's record is shown and edited. */
export function usePlaces({ about, touched, typed }: ChangeRow): Places {
  const find = useFind();
  const record = find.one(about.type, about.id);
  if (about.type === 'project') {
    const page = `/projects/${about.id}`;
    if (record === null) return { page, form: null };
    const isInForm = Object.keys(typed).some((field) => IN_THE_FORM.has(field));
    return { page, form: isInForm ? `${page}/edit` : page };
  }
  if (about.type === 'user') {
    const page = `/users/${about.id}`;
    const isInForm = record !== null && !('locale' in typed);
    return { page, form: isInForm ? `${page}/edit` : null };
  }
  if (record !== null && about.type === 'product' && typeof typed.command === 'string') {
    const page = flowPathOf(record as Of<'product'>, find);
    return { page, form: page };
  }
  if (record !== null && about.type === 'productComment') {
    const { product } = record as Of<'productComment'>;
    const project = find.one('product', product)?.project;
    const page = `/projects/${project ?? ''}/activity?product=${product}`;
    return project === undefined ? { page: null, form: null } : { page, form: page };
  }
  if (record !== null && about.type === 'savedView') {
    const page = addressOfView(record as Of<'savedView'>);
    return { page, form: page };
  }
  // Products of many projects are on no page together.
  if (touched.length > 1 && touched.every(({ type }) => type === 'product'))
    return { page: null, form: null };
  const isPart = toOnesOf(about.type).some(([name]) => name === 'project');
  if (!isPart || record === null || !('project' in record)) return { page: null, form: null };
  const page = `/projects/${String(record.project)}`;
  return { page, form: page };
}
