import { useEffect, useState } from 'react';
import type { ReactNode } from 'react';
import type { DiagnosticsSnapshot } from '#data/model/views.ts';
import { useData } from '#data/react/hooks.ts';
import { Button } from '#ui/form/controls.tsx';
import { RelativeTime } from '#ui/value/values.tsx';
import { useUiEnvironment } from '#ui/ui-environment.tsx';
import { useLanguage, useText } from '#ui/text/text.ts';
import { useToast } from '#ui/overlay/toasts.tsx';
import { saveAsFile } from '../app/page/device/save-as-file.ts';

const LOOK_EVERY_MS = 2_000;

/** Reads the diagnostics again every two seconds; null until they come for the first time. */
function useDiagnosticsSnapshot(): DiagnosticsSnapshot | null {
  const { diagnostics } = useData();
  const { later } = useUiEnvironment();
  const [found, setFound] = useState<DiagnosticsSnapshot | null>(null);
  const [reads, setReads] = useState(0);
  useEffect(() => {
    let isOver = false;
    void diagnostics.snapshot().then((next) => {
      if (!isOver) setFound(next);
    });
    const callOff = later(() => {
      setReads(reads + 1);
    }, LOOK_EVERY_MS);
    return () => {
      isOver = true;
      callOff();
    };
  }, [diagnostics, later, reads]);
  return found;
}

/**
 * Shows what support and developers ask of a device: nothing secret, nothing that a person typed.
 */
export function DevelopersView() {
  const t = useText();
  const found = useDiagnosticsSnapshot();
  return (
    <div className="developers">
      <DeveloperActions />
      {found !== null && (
        <>
          <Facts insight={found} />
          <Counts
            title={t('developers.changes')}
            head={t('developers.state')}
            counts={found.changes}
          />
          <Counts
            title={t('developers.records')}
            head={t('developers.type')}
            counts={found.records}
          />
          <Errors errors={found.errors} />
        </>
      )}
    </div>
  );
}

function DeveloperActions() {
  const t = useText();
  const show = useToast();
  const { diagnostics: insight } = useData();
  const save = async () => {
    saveAsFile('slipway-support.json', await insight.supportFile());
  };
  return (
    <dl className="developers-deeds">
      <div>
        <dt>
          <Button
            onClick={() => {
              insight.resync();
              show({ tone: 'info', title: t('developers.resyncStarted') });
            }}
          >
            {t('developers.resync')}
          </Button>
        </dt>
        <dd className="caption">{t('developers.resyncHelp')}</dd>
      </div>
      <div>
        <dt>
          <Button onClick={() => void save()}>{t('developers.saveFile')}</Button>
        </dt>
        <dd className="caption">{t('developers.saveFileHelp')}</dd>
      </div>
    </dl>
  );
}

function Facts({ insight }: { readonly insight: DiagnosticsSnapshot }) {
  const t = useText();
  const bytes = useBytes();
  const { storage, connection, transport, cursor, scope, asOf } = insight;
  const none = t('developers.none');
  const facts: readonly (readonly [string, ReactNode])[] = [
    [
      t('developers.connection'),
      [t(`developers.connection.${connection}`), transport].filter(Boolean).join(', '),
    ],
    [t('developers.leading'), t(`developers.leading.${insight.isLeading ? 'this' : 'other'}`)],
    [t('developers.cursor'), <code key="cursor">{cursor ?? none}</code>],
    [t('developers.scope'), scope === null ? none : <code>{scope}</code>],
    [t('developers.asOf'), <RelativeTime key="asOf" at={asOf} empty={none} />],
    [
      t('developers.storage'),
      storage.usedBytes === null || storage.grantedBytes === null
        ? t('developers.notTold')
        : t('developers.storageOf', {
            used: bytes(storage.usedBytes),
            granted: bytes(storage.grantedBytes),
          }),
    ],
    [
      t('developers.persistent'),
      storage.isPersistent === null
        ? t('developers.notTold')
        : t(`developers.persistent.${storage.isPersistent ? 'yes' : 'no'}`),
    ],
    [t('developers.version'), insight.version],
    [t('developers.localSchema'), insight.localSchema],
  ];
  return (
    <dl className="facts">
      {facts.map(([name, value]) => (
        <div className="fact-pair" key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

interface CountsProps {
  readonly title: string;
  readonly head: string;
  readonly counts: Readonly<Record<string, number>>;
}

function Counts({ title, head, counts }: CountsProps) {
  const t = useText();
  const format = new Intl.NumberFormat(useLanguage());
  const rows = Object.entries(counts).sort(([a], [b]) => (a < b ? -1 : 1));
  return (
    <section>
      <h3>{title}</h3>
      {rows.length === 0 ? (
        <p className="soft">{t('developers.none')}</p>
      ) : (
        <table className="ui unstackable compact table">
          <thead>
            <tr>
              <th scope="col">{head}</th>
              <th scope="col" className="figure">
                {t('developers.count')}
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map(([name, count]) => (
              <tr key={name}>
                <td>{name}</td>
                <td className="figure">{format.format(count)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

function Errors({ errors }: Pick<DiagnosticsSnapshot, 'errors'>) {
  const t = useText();
  return (
    <section>
      <h3>{t('developers.errors')}</h3>
      {errors.length === 0 && <p className="soft">{t('developers.noErrors')}</p>}
      <ul className="developers-errors">
        {errors.map(({ at, what, why }, i) => (
          <li key={`${at} ${String(i)}`}>
            <strong>{what}</strong>
            <span className="caption">
              <RelativeTime at={at} />
            </span>
            <pre>{why}</pre>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Bytes as the language writes them, in the unit that fits. */
function useBytes(): (bytes: number) => string {
  const language = useLanguage();
  return (bytes) => {
    const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;
    const power = bytes < 1 ? 0 : Math.min(3, Math.floor(Math.log10(bytes) / 3));
    return new Intl.NumberFormat(language, {
      style: 'unit',
      unit: units[power] ?? 'byte',
      maximumFractionDigits: 1,
    }).format(bytes / 1_000 ** power);
  };
}
