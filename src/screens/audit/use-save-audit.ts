import { useState } from 'react';
import { csvOf } from '#base/csv.ts';
import { auditLogFrom } from '#protocol/audit.ts';
import type { AuditEvent, AuditLog } from '#protocol/audit.ts';
import { limits } from '#protocol/limits.ts';
import type { Data } from '#data/model/data.ts';
import type { OnlineResult } from '#data/model/views.ts';
import { useData, useFind } from '#data/react/hooks.ts';
import { useToast } from '#ui/overlay/toasts.tsx';
import { useText } from '#ui/text/text.ts';
import { useProblemText } from '../app/page/changes/problem-text.ts';
import { saveAsFile } from '../app/page/device/save-as-file.ts';
import { auditAddressOf } from './audit-filters.ts';
import type { AuditFilters } from './audit-filters.ts';
import { useAuditWords } from './use-audit-words.ts';

interface Asked {
  readonly filters: AuditFilters;
  readonly organization: string | null;
  readonly timeZone: string | null;
}

interface SavingAudit {
  /** Hands the person what is asked for as a CSV file; says why it could not be had. */
  readonly save: () => Promise<void>;
  readonly isSaving: boolean;
}

/** Saves the events that the filters find, on all pages, in the words of the person who reads. */
export function useSaveAudit(asked: Asked): SavingAudit {
  const t = useText();
  const data = useData();
  const show = useToast();
  const reasonOf = useProblemText();
  const rowOf = useRow();
  const [isSaving, setSaving] = useState(false);
  const save = async () => {
    const found = await allEvents(data, asked);
    if (found.is !== 'told') {
      const detail =
        found.is === 'refused' ? reasonOf(found.problem) : t('admin.audit.noAnswerText');
      show({ tone: 'error', title: t('admin.audit.notSaved'), detail });
      return;
    }
    const { events, isMore } = found.value;
    const head = [
      ...[t('admin.audit.time'), t('admin.audit.person'), t('admin.audit.personId')],
      ...[t('admin.audit.kind'), t('admin.audit.what'), t('admin.audit.recordType')],
      ...[t('admin.audit.record'), t('admin.audit.recordId'), t('fields.organization')],
      ...[t('admin.audit.before'), t('admin.audit.after'), t('admin.audit.address')],
    ];
    saveAsFile('audit-log.csv', csvOf([head, ...events.map(rowOf)]), 'text/csv;charset=utf-8');
    const title = t('admin.audit.saved', { count: events.length });
    if (!isMore) show({ tone: 'success', title });
    else show({ tone: 'warning', title, detail: t('admin.audit.savedPart') });
  };
  return {
    isSaving,
    save: async () => {
      setSaving(true);
      try {
        await save();
      } finally {
        setSaving(false);
      }
    },
  };
}

/** Reads page after page; events that are written meanwhile do not move what comes later. */
async function allEvents(
  data: Data,
  asked: Asked,
): Promise<OnlineResult<Pick<AuditLog, 'events' | 'isMore'>>> {
  const events = new Map<string, AuditEvent>();
  const pageSize = limits.pageSizeMost;
  let until: string | null = null;
  for (let page = 1; ; page += 1) {
    const address = auditAddressOf({ ...asked, page, pageSize, until });
    const answer = await data.online.query(address);
    if (answer.is !== 'told') return answer;
    const log = auditLogFrom(answer.value);
    if (log === null) return { is: 'no-answer' };
    const { events: more, total, isMore } = log;
    for (const event of more) events.set(event.id, event);
    until ??= more[0]?.at ?? null;
    if (more.length < pageSize || page * pageSize >= total)
      return { is: 'told', value: { events: [...events.values()], isMore } };
  }
}

function useRow(): (event: AuditEvent) => readonly string[] {
  const find = useFind();
  const { sentenceOf, typeOf, differencesOf } = useAuditWords();
  return (event) => {
    const { at, actorName, actorId, kind, subjectType, subjectName, subjectId, address } = event;
    const { organizationId } = event;
    const differences = differencesOf(event);
    const side = (name: 'before' | 'after') =>
      differences
        .flatMap((one) => (one[name] === undefined ? [] : [`${one.field}: ${one[name]}`]))
        .join('; ');
    const organization =
      organizationId === null
        ? ''
        : (find.one('organization', organizationId)?.name ?? organizationId);
    return [
      ...[at, actorName ?? '', actorId ?? '', kind, sentenceOf(event)],
      ...[subjectType === null ? '' : typeOf(subjectType), subjectName ?? '', subjectId ?? ''],
      ...[organization, side('before'), side('after'), address ?? ''],
    ];
  };
}
