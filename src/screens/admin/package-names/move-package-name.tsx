import { useEffect, useRef, useState } from 'react';
import { isObject } from '#base/is-object.ts';
import { limits } from '#protocol/limits.ts';
import { packageNamePaths } from '#protocol/package-names.ts';
import type { PackageName, PackageNameMove } from '#protocol/package-names.ts';
import type { ErrorObject } from '#protocol/problem.ts';
import { compareTexts } from '#rules/record/display.ts';
import { useData, useList } from '#data/react/hooks.ts';
import { Button } from '#ui/form/controls.tsx';
import { Field } from '#ui/form/field.tsx';
import { Picker } from '#ui/form/picker.tsx';
import { useToast } from '#ui/overlay/toasts.tsx';
import { Note } from '#ui/status/boxes.tsx';
import { useText } from '#ui/text/text.ts';
import { useProblemText } from '../../app/page/changes/problem-text.ts';
import { OnlineDialog } from '../../app/page/form/online-dialog.tsx';
import { useDraft } from '../../app/page/form/use-draft.ts';
import { OnlineFailure, useOnlineCommand } from '../../app/page/use-online-command.ts';

interface Props {
  /** The name as it stood when it was chosen. */
  readonly opened: PackageName;
  /** The name as the list has it now. */
  readonly present: PackageName;
  readonly isOffline: boolean;
  /** The list shows what is not so any more. */
  readonly onStale: () => void;
  readonly onMoved: () => void;
  readonly onClose: () => void;
}

type FieldName = 'organization' | 'reason';

/** Asks who gets a package name, and why. What was typed stays through refusals and reloads. */
export function MovePackageName(props: Props) {
  const { opened, present, isOffline, onStale, onMoved, onClose } = props;
  const t = useText();
  const show = useToast();
  const { name } = present;
  const { isSending, trouble, newHolder, send } = useMove(name);
  // The list may not have it any more: then the refusal alone says who holds it.
  const holder = newHolder ?? present.organization;
  const { fields, set, forget } = useDraft(`package-name.${name}`, {
    organization: '',
    reason: '',
  });
  const [seen, setSeen] = useState(opened.organization.id);
  const [round, setRound] = useState(0);
  const organizations = useOrganizationsBut(holder.id);
  const chosen = organizations.find(({ id }) => id === fields.organization) ?? null;
  const form = useFirstMistake(round);

  const isStale = holder.id !== seen;
  const errorOf = (field: FieldName): string | null => {
    const isMissing = field === 'organization' ? chosen === null : fields.reason.trim() === '';
    if (isMissing) return round > 0 ? t(`admin.packageNames.missing.${field}`) : null;
    return trouble?.field === field && trouble.of[field] === fields[field] ? trouble.text : null;
  };
  const submit = async () => {
    setRound(round + 1);
    if (isOffline || isSending || isStale || chosen === null || fields.reason.trim() === '') return;
    const answer = await send({ ...fields, from: seen });
    if (answer === 'stale') onStale();
    if (answer !== 'moved') return;
    forget();
    show({
      tone: 'success',
      title: t('admin.packageNames.moved', { name, organization: chosen.label }),
    });
    onMoved();
    onClose();
  };
  return (
    <OnlineDialog
      title={t('admin.packageNames.moveNamed', { name })}
      isOffline={isOffline}
      isSending={isSending}
      isOff={isStale}
      submitLabel={t('admin.packageNames.confirm')}
      onSubmit={() => void submit()}
      onClose={onClose}
      onForget={forget}
    >
      <div className="ui form" ref={form}>
        <p>{t('admin.packageNames.holds', { name, organization: holder.name })}</p>
        <ul className="package-follows" aria-label={t('admin.packageNames.follows.label')}>
          <li>{t('admin.packageNames.follows.releases', { organization: holder.name })}</li>
          <li>{t('admin.packageNames.follows.address')}</li>
          <li>{t('admin.packageNames.follows.phones')}</li>
          <li>{t('admin.packageNames.follows.told')}</li>
        </ul>
        <Field
          label={t('admin.packageNames.newHolder')}
          isRequired
          help={t('admin.packageNames.newHolderHelp')}
          error={errorOf('organization')}
        >
          {(tied) => (
            <Picker
              tied={tied}
              options={organizations}
              chosen={chosen?.id ?? null}
              onChoose={(organization) => {
                set({ organization });
              }}
            />
          )}
        </Field>
        <Field
          label={t('admin.packageNames.reason')}
          isRequired
          help={t('admin.packageNames.reasonHelp')}
          error={errorOf('reason')}
        >
          {(tied) => (
            <textarea
              {...tied}
              className="growing"
              rows={2}
              dir="auto"
              maxLength={limits.packageNameReasonCharacters}
              value={fields.reason}
              onChange={({ target }) => {
                set({ reason: target.value });
              }}
            />
          )}
        </Field>
        <div role="alert">
          {isStale ? (
            <Note tone="warning">
              <p>{t('admin.packageNames.movedMeanwhile', { organization: holder.name })}</p>
              <div className="box-actions">
                <Button
                  onClick={() => {
                    setSeen(holder.id);
                  }}
                >
                  {t('admin.packageNames.checked', { organization: holder.name })}
                </Button>
              </div>
            </Note>
          ) : (
            trouble?.field === null && (
              <Note tone="error">
                <strong>{t('admin.packageNames.notMoved')}</strong>
                <p>{trouble.text}</p>
              </Note>
            )
          )}
        </div>
      </div>
    </OnlineDialog>
  );
}

/** The organizations that can get a name of `holder`'s, by name. */
function useOrganizationsBut(holder: string) {
  const { rows } = useList('organization', {});
  return rows
    .filter(({ id }) => id !== holder)
    .map(({ id, name }) => ({ id, label: name ?? '' }))
    .sort((a, b) => compareTexts(a.label, b.label));
}

/** Puts the focus on the first mistake of a form, each time that `round` counts on. */
function useFirstMistake(round: number) {
  const form = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (round > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [round]);
  return form;
}

/** Says why a name was not moved. */
interface Trouble {
  /** The field that it is about; null: it is about none. */
  readonly field: FieldName | null;
  readonly text: string;
  /** What was sent. */
  readonly of: PackageNameMove;
}

interface Moving {
  readonly isSending: boolean;
  readonly trouble: Trouble | null;
  /** The holder that the server named when it refused; null: it has named none. */
  readonly newHolder: PackageName['organization'] | null;
  /** Moves it; `stale`: another organization holds it by now. */
  readonly send: (move: PackageNameMove) => Promise<'moved' | 'stale' | 'failed'>;
}

/** Moves a package name; the same move, sent again after no answer, happens once. */
function useMove(name: string): Moving {
  const t = useText();
  const data = useData();
  const reasonOf = useProblemText();
  const command = useOnlineCommand<unknown>();
  const [isSending, setSending] = useState(false);
  const [trouble, setTrouble] = useState<Trouble | null>(null);
  const [newHolder, setNewHolder] = useState<Moving['newHolder']>(null);
  const send: Moving['send'] = async (move) => {
    setSending(true);
    setTrouble(null);
    try {
      await command(JSON.stringify(move), () =>
        data.online.command(packageNamePaths.one(name), move, 'PUT'),
      );
      return 'moved';
    } catch (error) {
      if (!(error instanceof OnlineFailure)) throw error;
      const { problem } = error;
      if (problem?.code === 'changed-elsewhere') {
        setNewHolder(holderIn(problem));
        return 'stale';
      }
      const pointer = problem?.source?.pointer;
      const field = pointer === '/organization' || pointer === '/reason' ? pointer.slice(1) : null;
      setTrouble({
        field: field as FieldName | null,
        text: problem === null ? t('admin.packageNames.notCertain') : reasonOf(problem),
        of: move,
      });
      return 'failed';
    } finally {
      setSending(false);
    }
  };
  return { isSending, trouble, newHolder, send };
}

/** The holder that a refusal names; null where it names none. */
function holderIn({ meta }: ErrorObject): Moving['newHolder'] {
  const organization = isObject(meta?.current) ? meta.current.organization : null;
  if (!isObject(organization)) return null;
  const { id, name } = organization;
  return typeof id === 'string' && typeof name === 'string' ? { id, name } : null;
}
