import { useContext, useEffect } from 'react';
import type { TypeName } from '#schema/index.ts';
import type { ChangeRow } from '#data/model/views.ts';
import { useText } from '#ui/text/text.ts';
import { useToast } from '#ui/overlay/toasts.tsx';
import { ChangesContext } from '../page/changes/changes-context.ts';
import { useProblemText } from '../page/changes/problem-text.ts';
import { useReadable } from '../../changes/readable.ts';

/** So many are named one by one; beyond that the number is said. */
const NAMED = 2;

/** What people hold as long as they are members, by its type. */
const GIVEN_TO_MEMBERS: Partial<Record<TypeName, 'roles' | 'groups'>> = {
  userRole: 'roles',
  groupMembership: 'groups',
};

interface Props {
  /** The subject by which the toasts are closed together. */
  readonly about: string;
  /** Changes to announce; they are removed from here once that is done. */
  readonly unannounced: { readonly current: ChangeRow[] };
  /** Grows with each that is added to `unannounced`. */
  readonly times: number;
}

/** Tells of changes that need the person, each by a toast of its own while they are few. */
export function RefusalAnnouncer({ about, unannounced, times }: Props): null {
  const t = useText();
  const show = useToast();
  const reasonOf = useProblemText();
  const { sentence } = useReadable();
  const { open } = useContext(ChangesContext);

  const reasonFor = ({ state, problem }: ChangeRow): string =>
    state === 'refused' && problem !== null
      ? reasonOf(problem)
      : t(`badges.${state as 'conflict' | 'confirm' | 'refused'}.sentence`);

  useEffect(() => {
    const rows = unannounced.current.splice(0);
    const isMany = rows.length > NAMED;
    if (isMany)
      show({
        tone: 'error',
        about,
        title: t('sync.attention', { count: rows.length }),
        action: {
          label: t('common.show'),
          run: () => {
            open();
          },
        },
      });
    for (const row of isMany ? [] : rows) {
      const given = isToNoMember(row) ? GIVEN_TO_MEMBERS[row.about.type] : undefined;
      const isError = row.state === 'refused' && given === undefined;
      show({
        tone: isError ? 'error' : 'warning',
        about,
        title: sentence(row.says),
        detail:
          given === undefined
            ? reasonFor(row)
            : t(`users.operations.${given}.notAMember`, { name: row.says[1].name ?? '' }),
        action: {
          label: t('common.show'),
          run: () => {
            open({ change: row.id });
          },
        },
      });
    }
    // The texts are those of the moment; only a change that was added is announced.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [about, unannounced, times]);

  return null;
}

/** Says whether something was given to who is no member any more. */
const isToNoMember = ({ state, problem }: ChangeRow): boolean =>
  state === 'refused' && problem?.meta?.rule === 'no-membership';
