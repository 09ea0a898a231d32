import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { actionsOffered, mayAddProduct, mayEditProperties } from '#rules/product.ts';
import type { ProductActionName } from '#rules/product.ts';
import { mayEditProject } from '#rules/project.ts';
import type { Of } from '#schema/index.ts';
import { useFind, useViewer } from '#data/react/hooks.ts';
import { Icon } from '#ui/picture/icon.tsx';
import type { IconName } from '#ui/picture/icon.tsx';
import { MenuButton } from '#ui/overlay/menu-button.tsx';
import type { MenuEntry } from '#ui/overlay/menu-button.tsx';
import { useText } from '#ui/text/text.ts';
import { useCopyAddress } from '#ui/overlay/use-copy-address.ts';
import { LateDialog, loadWithTexts } from '../../app/page/late/late-part.tsx';
import { asksBeforeRemoval, Question, RemovalQuestion } from './question.tsx';
import { downloadPageOf } from './download-page.ts';
import { useIsOut } from './published-files.ts';

const loadDetails = loadWithTexts(async () => (await import('./details.tsx')).ProductDetails);
const loadProperties = loadWithTexts(
  async () => (await import('./properties.tsx')).PublishingProperties,
);

/** The pages that a product has of its own. */
export type ProductPart = 'files' | 'builds';

interface Props {
  readonly product: Of<'product'>;
  readonly name: string;
  /** One of the actions is on its way: it must have its answer before the next. */
  readonly isRunning: boolean;
  readonly onRun: (action: ProductActionName) => Promise<void>;
  readonly onRemove: () => void;
  /** The page that shows it, to which it then does not lead; left out on the product's card. */
  readonly part?: ProductPart;
}

const ICONS: Readonly<Record<ProductActionName, IconName>> = {
  rebuild: 'sync',
  republish: 'globe',
  cancel: 'close',
};

/** Offers what may be done with a product now; an action that cannot be undone asks first. */
export function ProductMenu(props: Props) {
  const { product, name, isRunning, onRun, onRemove } = props;
  const t = useText();
  const find = useFind();
  const viewer = useViewer();
  const [question, ask] = useState<'cancel' | 'remove' | 'details' | 'properties' | null>(null);
  const parts = usePartEntries(props);
  const address = useAddressEntry(props);

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
  entries.push({
    id: 'details',
    label: t('products.details'),
    icon: 'info',
    startsGroup: entries.length > 0,
    run: () => {
      ask('details');
    },
  });
  entries.push(...parts);
  if (mayEditProperties(viewer, product, find))
    entries.push({
      id: 'properties',
      label: t('products.properties'),
      icon: 'gear',
      run: () => {
        ask('properties');
      },
    });
  entries.push(...address);
  if (mayAddProduct(viewer, product, find))
    entries.push({
      id: 'remove',
      label: t('products.remove'),
      icon: 'bin',
      startsGroup: true,
      run: () => {
        if (asksBeforeRemoval(product)) ask('remove');
        else onRemove();
      },
    });

  // What the engine has it finishes, and records.
  const isReleasing = product.workflowState === 'Product Publish';
  const close = () => {
    ask(null);
  };
  return (
    <>
      <MenuButton
        label={t('products.menuOf', { name })}
        entries={entries}
        // On a page of the product alone: a project has many.
        shortcut={props.part !== undefined && actions[0] === 'rebuild' ? 'build' : undefined}
      >
        <Icon name="more" />
      </MenuButton>
      {question === 'cancel' && (
        <Question
          title={t('products.cancelTitle', { name })}
          verb={t('products.actions.cancel')}
          keep={t('products.keepRunning')}
          lines={[
            t('products.cancelText'),
            ...(isReleasing ? [t('products.cancelReleasing')] : []),
          ]}
          onClose={close}
          onConfirm={() => void onRun('cancel')}
        />
      )}
      {question === 'remove' && (
        <RemovalQuestion product={product} name={name} onClose={close} onConfirm={onRemove} />
      )}
      {question === 'details' && (
        <LateDialog
          load={loadDetails}
          props={{ id: product.id, onClose: close }}
          title={t('products.detailsTitle')}
        />
      )}
      {question === 'properties' && (
        <LateDialog
          load={loadProperties}
          props={{ id: product.id, onClose: close }}
          title={t('products.properties')}
        />
      )}
    </>
  );
}

/** The ways to the product's own pages, for who may go them, and the link to hand them on by. */
function usePartEntries({ product, part: here }: Props): readonly MenuEntry[] {
  const t = useText();
  const find = useFind();
  const viewer = useViewer();
  const navigate = useNavigate();
  const copy = useCopyAddress();
  const project = find.one('project', product.project);
  if (project === null || !mayEditProject(viewer, project)) return [];
  const parts = [
    { id: 'files', label: t('products.ownPage'), icon: 'folder' },
    { id: 'builds', label: t('builds.title'), icon: 'clock' },
  ] as const;
  const ways = parts
    .filter(({ id }) => id !== here)
    .map((part) => {
      const href = `/products/${product.id}/${part.id}`;
      return { ...part, href, run: () => void navigate(href) };
    });
  return [
    ...ways,
    {
      id: 'link',
      label: t('flow.copyLink'),
      icon: 'link',
      run: () => void copy(`/products/${product.id}/files`),
    },
  ];
}

/** The page for whoever is to have what was published; nothing where there is none. */
function useAddressEntry({ product, name }: Props): readonly MenuEntry[] {
  const t = useText();
  const copy = useCopyAddress();
  const page = downloadPageOf(product.id, name);
  const address = page ?? product.publishLink;
  const isOut = useIsOut(product);
  if (address === null || !isOut) return [];
  return [
    {
      id: 'address',
      label: t(page === null ? 'products.copySiteAddress' : 'products.copyAddress'),
      icon: 'link',
      run: () => void copy(address),
    },
  ];
}
