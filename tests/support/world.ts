import type { Of } from '#schema/index.ts';
import { anId, ScriptedServer } from './scripted-server.ts';

/** A scripted server with one organization, one person in it and one project of theirs. */
export interface World {
  readonly server: ScriptedServer;
  readonly me: string;
  readonly other: string;
  readonly organization: string;
  readonly group: string;
  readonly type: string;
  readonly project: string;
  /** Another project of the same kind. */
  readonly addProject: (fields?: Partial<Of<'project'>>) => string;
}

export function aWorld(): World {
  const server = new ScriptedServer();
  const me = server.put('user', { id: anId(), name: 'Ana Ruiz' });
  const other = server.put('user', { id: anId(), name: 'Ben Okafor' });
  const organization = server.put('organization', { name: 'Lakeside', owner: me });
  const role = server.put('role', { roleName: 'AppBuilder' });
  const group = server.put('group', { name: 'Team', abbreviation: 'T', owner: organization });
  for (const user of [me, other]) {
    server.put('organizationMembership', { user, organization });
    server.put('groupMembership', { user, group });
    server.put('userRole', { user, role, organization, roleName: 'AppBuilder' });
  }
  const type = server.put('applicationType', { name: 'bookapp' });
  const addProject = (fields: Partial<Of<'project'>> = {}): string =>
    server.put('project', {
      name: 'Harvest',
      language: 'es-419',
      organization,
      group,
      type,
      owner: me,
      ...fields,
    });
  const project = addProject();
  return { server, me, other, organization, group, type, project, addProject };
}
