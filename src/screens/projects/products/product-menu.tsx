import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { actionsOffered, mayAddProduct } from '#rules/product.ts';
import type { ProductAction } from '#rules/product.ts';
import { mayEditProject } from '#rules/project.ts';
import type { Of } from '#schema/index.ts';
import { useData } from '#data/use-data.ts';
import { useViewer } from '#data/use-viewer.ts';
import { Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { Icon } from '#ui/icon.tsx';
import type { IconName } from '#ui/icon.tsx';
import { MenuButton } from '#ui/menu-button.tsx';
import type { MenuEntry } from '#ui/menu-button.tsx';
import { useText } from '#ui/text.ts';

interface Props {
  readonly product: Of<'product'>;
  readonly name: string;
  /** One of the actions is on its way: it must have its answer before the next. */
  readonly isRunning: boolean;
  readonly onRun: (action: ProductAction) => Promise<void>;
  readonly onRemove: () => void;
  /** On the page of its files, which then is no way out. */
  readonly isOfFiles?: boolean;
}

const ICONS: Readonly<Record<ProductAction, IconName>> = {
  rebuild: 'sync',
  republish: 'globe',
  cancel: 'close',
};

/** What may be done with a product now; what cannot be taken back asks first. */
export function ProductMenu(props: Props) {
  const { product, name, isRunning, onRun, onRemove } = props;
  const t = useText();
  const { find } = useData();
  const files = useFilesEntry(props);
  const viewer = useViewer();
  const [asked, ask] = useState<'cancel' | 'remove' | null>(null);
  const isAtWork = product.productWorkflow !== null;
  const isPublished = product.datePublished !== null;

  const actions = isRunning ? [] : actionsOffered(viewer, product, find);
  const entries: MenuEntry[] = actions.map((action) => ({
    id: action,
    label: t(`products.actions.${action}`),
    icon: ICONS[action],
    run: () => {
      if (action === 'cancel') ask('cancel');
      else void onRun(action);
    },
  }));
  entries.push(...files.map((entry) => ({ ...entry, startsGroup: entries.length > 0 })));
  if (mayAddProduct(viewer, product, find))
    entries.push({
      id: 'remove',
      label: t('products.remove'),
      icon: 'bin',
      startsGroup: entries.length > 0,
      run: () => {
        if (isAtWork || isPublished) ask('remove');
        else onRemove();
      },
    });
  if (entries.length === 0) return null;

  const close = () => {
    ask(null);
  };
  return (
    <>
      <MenuButton label={t('products.menuOf', { name })} entries={entries}>
        <Icon name="more" />
      </MenuButton>
      {asked === 'cancel' && (
        <Confirm
          title={t('products.cancelTitle', { name })}
          verb={t('products.actions.cancel')}
          keep={t('products.keepRunning')}
          lines={[t('products.cancelText')]}
          onClose={close}
          onConfirm={() => void onRun('cancel')}
        />
      )}
      {asked === 'remove' && (
        <Confirm
          title={t('products.removeTitle', { name })}
          verb={t('products.remove')}
          keep={t('common.cancel')}
          lines={[
            isAtWork ? t('products.removeTextRunning') : t('products.removeText'),
            ...(isPublished ? [t('products.removeStays')] : []),
          ]}
          onClose={close}
          onConfirm={onRemove}
        />
      )}
    </>
  );
}

/** The way to what was built, for who may go it. */
function useFilesEntry({ product, isOfFiles = false }: Props): readonly MenuEntry[] {
  const t = useText();
  const { find } = useData();
  const viewer = useViewer();
  const navigate = useNavigate();
  const project = find.one('project', product.project);
  if (isOfFiles || project === null || !mayEditProject(viewer, project)) return [];
  const run = () => void navigate(`/products/${product.id}/files`);
  return [{ id: 'files', label: t('products.files'), icon: 'folder', run }];
}

interface ConfirmProps {
  readonly title: string;
  readonly lines: readonly string[];
  readonly verb: string;
  readonly keep: string;
  readonly onClose: () => void;
  readonly onConfirm: () => void;
}

function Confirm({ title, lines, verb, keep, onClose, onConfirm }: ConfirmProps) {
  return (
    <Dialog
      title={title}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{keep}</Button>
          <Button
            negative
            onClick={() => {
              onClose();
              onConfirm();
            }}
          >
            {verb}
          </Button>
        </>
      }
    >
      {lines.map((line) => (
        <p key={line}>{line}</p>
      ))}
    </Dialog>
  );
}
