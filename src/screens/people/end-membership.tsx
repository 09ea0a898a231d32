import { useId, useState } from 'react';
import { compareTexts } from '#rules/record/display.ts';
import type { Of } from '#schema/index.ts';
import { endMembership } from '#data/actions/members.ts';
import { setOwner } from '#data/actions/projects.ts';
import { useData, useFind, useList, useViewer } from '#data/react/hooks.ts';
import { Button } from '#ui/form/controls.tsx';
import { Dialog } from '#ui/overlay/dialog.tsx';
import { Note } from '#ui/status/boxes.tsx';
import { useText } from '#ui/text/text.ts';
import { useSaved } from '../app/page/changes/use-saved.ts';
import { useAttempt } from '../app/page/use-attempt.ts';
import { useOneAtATime } from '../app/page/use-one-at-a-time.ts';
import { useDisplayName } from '../app/page/use-display-name.ts';

type User = Of<'user'>;
type Project = Of<'project'>;

interface EndMembershipProps {
  readonly user: User;
  readonly organization: Of<'organization'>;
  readonly membership: Of<'organizationMembership'>;
  readonly onClose: () => void;
}

/**
 * Asks before a membership is ended, says what goes along, and has what the person owns there handed
 * over first (domain 2.7).
 */
export function EndMembership({ user, organization, membership, onClose }: EndMembershipProps) {
  const t = useText();
  const data = useData();
  const attempt = useAttempt();
  const saved = useSaved();
  const nameOf = useDisplayName();
  const isOwn = user.id === useViewer().id;
  const projects = useOwned(user.id, organization.id);
  const candidatesOf = useCandidates(user.id, organization.id);
  const [owners, setOwners] = useState<ReadonlyMap<string, string>>(new Map());
  const [isBusy, setBusy] = useState(false);
  const names = { name: nameOf(user), organization: organization.name ?? '' };

  // Whoever has not accepted leaves whatever they own: the server finds who inherits (domain 2.8).
  const isToHandOver = !isOwn || membership.dateAccepted !== null;
  const isOwner = organization.owner === user.id && isToHandOver;
  const asked = isToHandOver ? projects : [];
  const isComplete = !isOwner && asked.every(({ id }) => owners.has(id));

  const end = useOneAtATime(async () => {
    setBusy(true);
    const isDone = await attempt(t('errors.generic'), async () => {
      for (const project of asked) {
        const owner = owners.get(project.id);
        if (owner !== undefined) await setOwner(data, project, owner);
      }
      await endMembership(data, membership);
    });
    setBusy(false);
    if (!isDone) return;
    saved({ success: t('users.membership.ended', names) });
    onClose();
  });
  const confirm = isOwn ? 'users.membership.confirmLeave' : 'users.membership.confirmEnd';
  return (
    <Dialog
      title={t(isOwn ? 'users.membership.leaveTitle' : 'users.membership.endTitle', names)}
      size="medium"
      isBusy={isBusy}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <Button
            negative
            loading={isBusy}
            disabled={!isComplete || isBusy}
            onClick={() => void end()}
          >
            {t(confirm)}
          </Button>
        </>
      }
    >
      <p>{t(isOwn ? 'users.membership.leavesWith' : 'users.membership.endsWith')}</p>
      {isOwner && <Note tone="warning">{t('users.membership.ownsOrganization')}</Note>}
      {asked.length > 0 && (
        <HandOver
          projects={asked}
          candidatesOf={candidatesOf}
          owners={owners}
          onChoose={setOwners}
        />
      )}
    </Dialog>
  );
}

/** The unarchived projects of an organization that a person owns, by name. */
function useOwned(user: string, organization: string): readonly Project[] {
  const { rows } = useList('project', { owner: user, organization }, { sort: 'name' });
  return rows.filter(({ dateArchived }) => dateArchived === null);
}

/** Finds who can own a project instead of `leaving`: whoever else is in its group and organization. */
function useCandidates(leaving: string, organization: string) {
  const find = useFind();
  const { rows: members } = useList('organizationMembership', { organization });
  return ({ group }: Project): readonly User[] => {
    const inGroup = new Set(find.all('groupMembership', { group }).map(({ user }) => user));
    return members
      .filter(({ user }) => user !== leaving && inGroup.has(user))
      .flatMap(({ user }) => find.one('user', user) ?? []);
  };
}

interface HandOverProps {
  readonly projects: readonly Project[];
  readonly candidatesOf: (project: Project) => readonly User[];
  readonly owners: ReadonlyMap<string, string>;
  readonly onChoose: (owners: ReadonlyMap<string, string>) => void;
}

/** Has a new owner chosen for each project, or one for all that they can own. */
function HandOver({ projects, candidatesOf, owners, onChoose }: HandOverProps) {
  const t = useText();
  const find = useFind();
  const heirs = new Map(
    projects.flatMap((project) => candidatesOf(project).map((user) => [user.id, user] as const)),
  );
  return (
    <div className="ui form">
      <p>
        <strong>{t('users.membership.ownsProjects')}</strong>
      </p>
      {projects.length > 1 && heirs.size > 0 && (
        <Heir
          label={t('users.membership.all')}
          candidates={[...heirs.values()]}
          chosen={null}
          onChoose={(owner) => {
            const theirs = projects.filter((project) =>
              candidatesOf(project).some(({ id }) => id === owner),
            );
            onChoose(new Map([...owners, ...theirs.map(({ id }) => [id, owner] as const)]));
          }}
        />
      )}
      {projects.map((project) => {
        const candidates = candidatesOf(project);
        const group = find.one('group', project.group)?.name ?? '';
        return candidates.length === 0 ? (
          <p key={project.id}>
            <bdi>{project.name}</bdi>: {t('users.membership.nobody', { group })}
          </p>
        ) : (
          <Heir
            key={project.id}
            label={t('users.membership.newOwner', { project: project.name })}
            candidates={candidates}
            chosen={owners.get(project.id) ?? null}
            onChoose={(owner) => {
              onChoose(new Map([...owners, [project.id, owner]]));
            }}
          />
        );
      })}
    </div>
  );
}

interface HeirProps {
  readonly label: string;
  readonly candidates: readonly User[];
  readonly chosen: string | null;
  readonly onChoose: (owner: string) => void;
}

function Heir({ label, candidates, chosen, onChoose }: HeirProps) {
  const t = useText();
  const nameOf = useDisplayName();
  const id = useId();
  const listed = candidates
    .map((user) => ({ id: user.id, name: nameOf(user) }))
    .sort((a, b) => compareTexts(a.name, b.name));
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <select
        id={id}
        value={chosen ?? ''}
        onChange={(event) => {
          if (event.target.value !== '') onChoose(event.target.value);
        }}
      >
        <option value="">{t('users.membership.choose')}</option>
        {listed.map((heir) => (
          <option key={heir.id} value={heir.id}>
            {heir.name}
          </option>
        ))}
      </select>
    </div>
  );
}
