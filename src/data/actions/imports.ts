import type { Of } from '#schema/index.ts';
import type { Data } from '../model/data.ts';

/**
 * Requests the projects of a file, of which `made` do not exist yet. The server runs the import; it
 * cannot be undone once sent.
 *
 * @throws NotSavedError if this device cannot keep it
 * @throws ProblemError if the file has a mistake
 */
export async function importProjects(
  data: Data,
  fields: Pick<Of<'projectImport'>, 'importData' | 'organization' | 'group' | 'type'>,
  made: number,
): Promise<void> {
  const owner = data.viewerId();
  await data.add('projectImport', { ...fields, owner }, [
    'changes.projectImport.create',
    { count: String(made) },
  ]);
}
