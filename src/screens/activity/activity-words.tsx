import { activityKinds } from '#protocol/activity.ts';
import type { ActivityEvent, ActivityKind } from '#protocol/activity.ts';
import { useText } from '#ui/text/text.ts';
import { useAuditWords } from '../audit/use-audit-words.ts';
import { useCommandName, useNameOf, useStateName } from '../flow/task.tsx';

interface ActivityWords {
  /** Says what was done, after the name of who did it. */
  readonly sentenceOf: (event: ActivityEvent) => string;
  /** More about it, in words: what changed, which file, how it ended. */
  readonly factsOf: (event: ActivityEvent) => readonly string[];
}

const REMOVED: Readonly<Record<string, 'product' | 'comment' | 'reviewer'>> = {
  products: 'product',
  'product-comments': 'comment',
  reviewers: 'reviewer',
};

/** Says the lines of a timeline in the words of the person who reads. */
export function useActivityWords(): ActivityWords {
  const t = useText();
  const nameOf = useNameOf();
  const stateName = useStateName();
  const commandName = useCommandName();
  const { differencesOf } = useAuditWords();

  const sentenceOf = (event: ActivityEvent): string => {
    const kind = activityKinds.find((one) => one === event.kind);
    if (kind === undefined) return event.kind;
    const name = event.subjectName ?? t('flow.unknownUser');
    if (kind === 'removed')
      return t(`activity.removedWhat.${REMOVED[event.subjectType ?? ''] ?? 'other'}`, {
        name: event.subjectName ?? '',
      });
    const restored = event.details?.restored;
    if (kind === 'uploaded' && typeof restored === 'number')
      return t('activity.restored', { number: restored });
    if (kind === 'uploaded' && event.details?.['is-sample'] === true) return t('activity.began');
    if (kind === 'step')
      return t('activity.kinds.step', { state: stateName(textIn(event, 'state')) });
    if (kind === 'published' && event.details?.success !== true)
      return t('activity.kinds.publishing');
    if (kind === 'project-created' && event.actorId === null && event.actorName === null)
      return t('activity.wasCreated');
    return t(`activity.kinds.${kind}`, { name });
  };
  const result = (event: ActivityEvent, kind: ActivityKind): readonly string[] => {
    const { success } = event.details ?? {};
    const version = textIn(event, 'version');
    const said = version === '' ? [] : [t('activity.version', { version })];
    if (success === true) return kind === 'built' ? [...said, t('activity.went.built')] : said;
    if (success === false) return [...said, t('activity.went.failed')];
    return [...said, t('activity.went.running')];
  };
  const factsOf = (event: ActivityEvent): readonly string[] => {
    switch (event.kind) {
      case 'built':
      case 'published':
        return result(event, event.kind);
      case 'step': {
        const command = textIn(event, 'command');
        return command === '' ? [] : [commandName(command)];
      }
      case 'uploaded':
        return [textIn(event, 'filename')].filter((name) => name !== '');
      case 'owner-changed':
        return [`${personIn(event.before)} → ${personIn(event.after)}`];
      case 'settings-changed':
        return differencesOf({ ...event, organizationId: null, address: null }).map(
          ({ field, before, after }) =>
            `${field}: ${[before, after].filter((side) => side !== undefined).join(' → ')}`,
        );
      default:
        return [];
    }
  };
  const personIn = (values: ActivityEvent['before']): string => {
    const owner = values?.owner;
    return typeof owner === 'string' ? nameOf(owner) : t('values.none');
  };
  return { sentenceOf, factsOf };
}

function textIn({ details }: ActivityEvent, name: string): string {
  const value = details?.[name];
  return typeof value === 'string' ? value : '';
}
