import { Dialog } from '#ui/overlay/dialog.tsx';
import { useText } from '#ui/text/text.ts';
import type { TextKey } from '#ui/text/text.ts';
import './palette.css';

interface Props {
  readonly onClose: () => void;
}

/** Macs have their own key for what is Ctrl elsewhere. */
const COMMAND = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘' : 'Ctrl';

/** Keys, pressed together (`+`) or one after the other, and what they do. */
const SHORTCUTS: readonly (readonly [keys: readonly string[], does: TextKey])[] = [
  [[`${COMMAND}+K`], 'shortcuts.palette'],
  [['/'], 'shortcuts.search'],
  [['g', 't'], 'sidebar.tasks'],
  [['g', 'p'], 'projects.switcher.dropdown.myProjects'],
  [['g', 'o'], 'projects.switcher.dropdown.orgProjects'],
  [['g', 'd'], 'sidebar.directory'],
  [['c'], 'header.addProject'],
  [['e'], 'shortcuts.edit'],
  [['f'], 'shortcuts.file'],
  [['b'], 'shortcuts.build'],
  [['u'], 'shortcuts.up'],
  [['r'], 'shortcuts.refresh'],
  [['j'], 'shortcuts.nextTask'],
  [['k'], 'shortcuts.previousTask'],
  [['Enter'], 'shortcuts.openTask'],
  [['a'], 'shortcuts.approve'],
  [[`${COMMAND}+Enter`], 'shortcuts.save'],
  [['Esc'], 'shortcuts.close'],
  [['?'], 'shortcuts.help'],
];

/** Every shortcut and what it does. */
export function ShortcutsDialog({ onClose }: Props) {
  const t = useText();
  return (
    <Dialog title={t('header.shortcuts')} onClose={onClose}>
      <table className="shortcuts">
        <thead className="out-of-sight">
          <tr>
            <th scope="col">{t('shortcuts.keys')}</th>
            <th scope="col">{t('shortcuts.does')}</th>
          </tr>
        </thead>
        <tbody>
          {SHORTCUTS.map(([keys, does]) => (
            <tr key={keys.join(' ')}>
              <td>
                {keys.map((key, index) => (
                  <span key={key}>
                    {index > 0 && <span className="soft"> {t('shortcuts.then')} </span>}
                    {key.split('+').map((part, n) => (
                      <span key={part}>
                        {n > 0 && ' + '}
                        <kbd>{part}</kbd>
                      </span>
                    ))}
                  </span>
                ))}
              </td>
              <td>{t(does)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Dialog>
  );
}
