import type { Uploaded } from '#protocol/file-paths.ts';
import type { TaskForm, TaskFormCommand } from '#protocol/task-forms.ts';
import { startsBuild } from '#rules/task/task.ts';
import type { Of } from '#schema/index.ts';
import { useViewer } from '#data/react/hooks.ts';
import { useFiles, useUploading } from '#files/files.ts';
import { useText } from '#ui/text/text.ts';
import { useNewestBuild } from '../task.tsx';

/** What speaks against a command now, as a question and the word that goes on all the same. */
export interface ContentDoubt {
  readonly title: string;
  readonly text: string;
  readonly yes: string;
  /** Says whether it speaks against `command`, which is given in `state`. */
  readonly isAbout: (command: TaskFormCommand, state: string) => boolean;
}

/**
 * Says what speaks against going on with the content of a project in a step that is about it: a file
 * is chosen and not uploaded, nothing was uploaded at all, or nothing since the product's newest
 * build. Null: nothing does, or `uploads`, newest first, are not known.
 */
export function useContentDoubt(
  form: TaskForm,
  product: Of<'product'>,
  uploads: readonly Uploaded[] | null,
): ContentDoubt | null {
  const t = useText();
  const files = useFiles(useViewer().id);
  const uploading = useUploading(files, product.project);
  const build = useNewestBuild(product.id);
  if (!form.lists.some(({ kind }) => kind === 'repository')) return null;
  if (uploading.is !== 'none' && uploading.is !== 'done')
    return {
      title: t('flow.leftBehindTitle'),
      text: t('flow.leftBehindText', { name: uploading.file.name }),
      yes: t('flow.goOnWithout'),
      isAbout: ({ tone }) => tone !== 'back',
    };
  if (uploads === null) return null;
  const anyway = {
    yes: t('flow.buildAnyway'),
    isAbout: ({ name }: TaskFormCommand, state: string) => startsBuild(state, name),
  };
  const [newest] = uploads;
  if (newest === undefined)
    return { ...anyway, title: t('flow.emptyTitle'), text: t('flow.emptyText') };
  if (build === null || Date.parse(newest.at) > Date.parse(build.dateCreated ?? '')) return null;
  const version = build.buildVersion;
  const text =
    version === null || build.success === false
      ? t('flow.sameFailedText')
      : t('flow.sameText', { version });
  return { ...anyway, title: t('flow.sameTitle'), text };
}
