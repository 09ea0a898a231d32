import { useId, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { isolated } from '#base/unicode.ts';
import type { Of } from '#schema/index.ts';
import { useChanges, useData } from '#data/react/hooks.ts';
import { useBrowserNotifier } from '#ui/browser-notifier.ts';
import type { BrowserNotifier } from '#ui/browser-notifier.ts';
import { Icon } from '#ui/picture/icon.tsx';
import { useText } from '#ui/text/text.ts';
import { stopWatching, useIsWatched, watchBuild } from './watched-builds.ts';
import './notify-when-built.css';

type Build = Of<'productBuild'>;

interface Props {
  readonly build: Build;
}

/**
 * Offers to notify the person of the end of a build, by their browser and on this device alone; says
 * why where that cannot be. Nothing for one that has ended.
 */
export function NotifyWhenBuilt({ build }: Props) {
  const t = useText();
  const notifier = useBrowserNotifier();
  if (build.success !== null) return null;
  if (notifier === null) return <p className="caption">{t('flow.notify.unsupported')}</p>;
  return <NotifyButton build={build} notifier={notifier} />;
}

function NotifyButton({ build, notifier }: Props & { readonly notifier: BrowserNotifier }) {
  const t = useText();
  const id = useId();
  const data = useData();
  const isOffline = useChanges().status === 'offline';
  const [permission, setPermission] = useState(notifier.permission);
  const isWatched = useIsWatched(build.id);
  const notify = useNotifying(notifier);

  const toggle = async () => {
    if (isWatched) {
      stopWatching(data, build.id);
      return;
    }
    const now = notifier.permission();
    const next = now === 'default' ? await notifier.requestPermission() : now;
    setPermission(next);
    if (next === 'granted') watchBuild(data, build.id, notify);
  };

  if (permission === 'denied')
    return (
      <p className="caption" role="status">
        {t('flow.notify.denied')}
      </p>
    );
  return (
    <div className="notify-when-built">
      <button
        type="button"
        className="ui button"
        aria-pressed={isWatched}
        aria-describedby={id}
        onClick={() => void toggle()}
      >
        <Icon name={isWatched ? 'check' : 'bell'} /> {t('flow.notify.button')}
      </button>
      <p className="caption" id={id} role="status">
        {t(isWatched ? 'flow.notify.waiting' : 'flow.notify.onlyHere')}
        {isOffline && ` ${t('flow.notify.offline')}`}
      </p>
    </div>
  );
}

/** Returns what says how a build ended, unless somebody sees the page; it leads to this address. */
function useNotifying(notifier: BrowserNotifier): (build: Build) => void {
  const t = useText();
  const go = useNavigate();
  const { find } = useData();
  const { pathname, search } = useLocation();
  const to = pathname + search;
  return ({ id, product: of, success, buildVersion }) => {
    if (notifier.isPageVisible()) return;
    const product = of === null ? null : find.one('product', of);
    const project = product && find.one('project', product.project);
    const definition = product && find.one('productDefinition', product.productDefinition);
    const names = [project?.name, definition?.name].filter((name) => typeof name === 'string');
    notifier.show({
      title: names.map(isolated).join(' · '),
      body:
        success === true
          ? t('bell.event.built', { version: buildVersion ?? '' })
          : t('flow.notify.failed'),
      tag: id,
      to,
      onClick: () => void go(to),
    });
  };
}
