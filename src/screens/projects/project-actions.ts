import { useContext, useEffect, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { flushSync } from 'react-dom';
import type { Of } from '#schema/index.ts';
import { archive, reactivate, claim, setOwner } from '#data/actions/projects.ts';
import type { ChangeRow } from '#data/model/views.ts';
import { useData, useViewer } from '#data/react/hooks.ts';
import { useText } from '#ui/text/text.ts';
import { useToast } from '#ui/overlay/toasts.tsx';
import { ChangesContext } from '../app/page/changes/changes-context.ts';
import { useSaved } from '../app/page/changes/use-saved.ts';
import { useAttempt } from '../app/page/use-attempt.ts';
import { useOneAtATime } from '../app/page/use-one-at-a-time.ts';
import { mayArchive, mayClaim } from '#rules/project.ts';
import type { MenuEntry } from '#ui/overlay/menu-button.tsx';
import { mayTakeAway, useArchiveQuestion } from './parts/use-archive-question.tsx';

type Project = Of<'project'>;
type Operation = 'archive' | 'reactivate';

/** Counts the projects that the viewer may neither archive nor reactivate. */
export function useCountNotTheirs(projects: readonly Project[]): number {
  const viewer = useViewer();
  return projects.filter((project) => !mayArchive(viewer, project)).length;
}

/** The projects that were archived or reactivated together and have no verdict yet. */
interface Batch {
  readonly operation: Operation;
  readonly projects: readonly Project[];
  /** Changes that were there before. */
  readonly before: ReadonlySet<string>;
}

const does = { archive, reactivate } as const;
const back = { archive: 'reactivate', reactivate: 'archive' } as const;

/**
 * Archives or reactivates at once on this device, and says so when the server has agreed to all;
 * offline, that it is saved here; of refusals, how many. `onAgreed` gets those that were not
 * refused.
 */
export function useArchiving(onAgreed?: (ids: readonly string[]) => void) {
  const t = useText();
  const data = useData();
  const attempt = useAttempt();
  const [batch, setBatch] = useState<Batch | null>(null);
  const announce = useArchiveToast(onAgreed);
  const { answered } = useContext(ChangesContext);

  const [begun] = useState(() => new Set<string>());
  const run = useOneAtATime(async (operation: Operation, projects: readonly Project[]) => {
    const before = new Set(data.changes.view().rows.map(({ id }) => id));
    const title = t(`project.operations.${operation}.error`);
    // The first verdicts may come while the last changes are still being saved.
    const keys = answerKeysOf(operation, projects);
    for (const set of [begun, answered]) for (const key of keys) set.add(key);
    const isDone = await attempt(title, () => does[operation](data, projects));
    begun.clear();
    if (isDone) setBatch({ operation, projects, before });
    else for (const key of keys) answered.delete(key);
  });
  useEffect(
    () => () => {
      for (const key of begun) answered.delete(key);
    },
    [begun, answered],
  );

  const announcing = useRef(announce);
  useEffect(() => {
    announcing.current = announce;
  });
  useEffect(() => {
    if (batch === null) return undefined;
    const keys = answerKeysOf(batch.operation, batch.projects);
    const forget = () => {
      for (const key of keys) answered.delete(key);
    };
    for (const key of keys) answered.add(key);
    let isAnnounced = false;
    const check = () => {
      if (isAnnounced) return;
      isAnnounced = announcing.current(batch);
      if (isAnnounced) forget();
    };
    check();
    const stop = data.changes.subscribe(check);
    return () => {
      stop();
      forget();
    };
  }, [batch, data, answered]);

  return run;
}

/** Archives or reactivates as `useArchiving` does, after the question that an archiving may need. */
export function useAskedArchiving(onAgreed?: Parameters<typeof useArchiving>[0]) {
  const archive = useArchiving(onAgreed);
  const { ask, question } = useArchiveQuestion();
  const run = (
    operation: Operation,
    projects: readonly Project[],
    onBegin?: (projects: readonly Project[]) => void,
  ) => {
    ask(operation, projects, () => {
      // The list knows of them before their records change: else their rows would go, and come anew.
      flushSync(() => onBegin?.(projects));
      void archive(operation, projects);
    });
  };
  return { run, question };
}

/** Names the changes whose outcome the batch announces. */
const answerKeysOf = (operation: Operation, projects: readonly Project[]) =>
  projects.map(({ id }) => `changes.project.${operation} ${id}`);

/** Says how a batch went, once that is known; whether it was. */
function useArchiveToast(onAgreed: Parameters<typeof useArchiving>[0]): (batch: Batch) => boolean {
  const t = useText();
  const data = useData();
  const show = useToast();
  const attempt = useAttempt();
  const saved = useSaved();
  const { open, answered } = useContext(ChangesContext);

  return (batch) => {
    const { operation, projects } = batch;
    const { rows, status } = data.changes.view();
    const own = rows.filter((row) => belongs(row, batch));
    const isDecided = own.length > 0 && own.every(({ state }) => !isUnderWay(state));
    if (!isDecided && status !== 'offline') return false;

    const refused = own.filter(({ state }) => state === 'refused' || state === 'conflict');
    const refusedIds = refused.map(({ about }) => about.id);
    onAgreed?.(projects.map(({ id }) => id).filter((id) => !refusedIds.includes(id)));
    if (refused.length > 0) {
      for (const { id } of refused) answered.add(id);
      show({
        tone: 'error',
        title: t(`project.operations.${operation}.someRefused`, {
          refused: refused.length,
          total: projects.length,
        }),
        action: {
          label: t('common.show'),
          run: () => {
            open({ change: refused[0]?.id ?? '' });
          },
        },
      });
      return true;
    }
    const which = projects.length > 1 ? 'bulkSuccess' : 'success';
    const opposite = back[operation];
    const takeBack = async () => {
      const present = projects.flatMap(({ id }) => data.find.one('project', id) ?? []);
      const asked: Project[] = [];
      if (opposite === 'archive')
        for (const project of present)
          if (await mayTakeAway([project], data.find)) asked.push(project);
      const others = projects.filter(({ id }) => !asked.some((project) => project.id === id));
      if (others.length > 0)
        void attempt(t(`project.operations.${opposite}.error`), () => does[opposite](data, others));
      // The toast outlives the page: the changes panel asks before others lose anything.
      if (asked[0] !== undefined) open({ record: asked[0].id });
    };
    saved({
      success: t(`project.operations.${operation}.${which}`),
      undo: () => {
        void takeBack();
      },
      setting: `${projects.map(({ id }) => id).join(' ')} dateArchived`,
    });
    return true;
  };
}

function isUnderWay(state: ChangeRow['state']): boolean {
  return state === 'waiting' || state === 'sending';
}

function belongs({ id, says, about }: ChangeRow, batch: Batch): boolean {
  const { operation, projects, before } = batch;
  const isSo = says[0] === `changes.project.${operation}`;
  return !before.has(id) && isSo && projects.some((project) => project.id === about.id);
}

interface ProjectMenu {
  readonly entries: readonly MenuEntry[];
  /** What an entry asks, while it does. */
  readonly question: ReactNode;
}

/** The other actions of a project; `onArchiving` is called before its record changes. */
export function useProjectMenu(
  project: Of<'project'>,
  onArchiving?: (projects: readonly Of<'project'>[]) => void,
): ProjectMenu {
  const t = useText();
  const data = useData();
  const viewer = useViewer();
  const attempt = useAttempt();
  const saved = useSaved();
  const { run, question } = useAskedArchiving();
  const entries: MenuEntry[] = [];

  const take = async () => {
    const { owner } = project;
    if (!(await attempt(t('errors.generic'), () => claim(data, project)))) return;
    const giveBack = (to: string) => () =>
      void attempt(t('errors.generic'), () => setOwner(data, project, to));
    saved({
      success: t('project.claimSuccess'),
      ...(owner === null ? {} : { undo: giveBack(owner) }),
    });
  };
  if (mayClaim(viewer, project))
    entries.push({
      id: 'claim',
      label: t('project.claim'),
      icon: 'person',
      run: () => void take(),
    });
  if (mayArchive(viewer, project)) {
    const operation = project.dateArchived === null ? 'archive' : 'reactivate';
    entries.push({
      id: operation,
      label: t(`projects.bulk.${operation}`),
      icon: operation === 'archive' ? 'archive' : 'restore',
      run: () => {
        run(operation, [project], onArchiving);
      },
    });
  }
  return { entries, question };
}
