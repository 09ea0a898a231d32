import { useId, useState } from 'react';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { mayAdminister } from '#rules/organization.ts';
import { platformOf, PLATFORMS } from '#rules/platform.ts';
import type { Platform } from '#rules/platform.ts';
import { brokenStore } from '#rules/valid/product.ts';
import type { Of } from '#schema/index.ts';
import { addProduct } from '#data/actions/products.ts';
import { useChanges, useData, useFind, useList, useRecord, useViewer } from '#data/react/hooks.ts';
import { Note } from '#ui/status/boxes.tsx';
import { Button } from '#ui/form/controls.tsx';
import { Dialog } from '#ui/overlay/dialog.tsx';
import { ProductIcon } from '#ui/picture/icon.tsx';
import { useText } from '#ui/text/text.ts';
import { useSaved } from '../../app/page/changes/use-saved.ts';
import { useAttempt } from '../../app/page/use-attempt.ts';
import { useOneAtATime } from '../../app/page/use-one-at-a-time.ts';
import { Choice, ChoicesDialog } from './choice.tsx';
import { meaningOf } from './meaning.ts';

type Definition = Of<'productDefinition'>;

interface Props {
  readonly project: Of<'project'>;
  /** The definitions that can be added, by name. */
  readonly definitions: readonly Definition[];
  readonly onClose: () => void;
}

/**
 * Adds one product after the other; those that go to a store ask to which. What was added stays in
 * its place, marked, so that nothing moves below the pointer.
 */
export function AddProducts({ project, definitions, onClose }: Props) {
  const t = useText();
  const data = useData();
  const find = useFind();
  const viewer = useViewer();
  const attempt = useAttempt();
  const saved = useSaved();
  const { rows: products } = useList('product', { project: project.id });
  const { rows: changes } = useChanges();
  const listed = useAllSince(definitions);
  const [question, ask] = useState<Definition | null>(null);
  const [isBusy, setBusy] = useState(false);

  const once = useOneAtATime(async (act: () => Promise<void>) => {
    setBusy(true);
    await act();
    setBusy(false);
  });
  const add = ({ id, name }: Definition, store: string | null) =>
    once(async () => {
      const names = { product: name, project: project.name };
      const fields = { project: project.id, productDefinition: id, store };
      const isDone = await attempt(t('errors.generic'), () => addProduct(data, fields, names));
      if (!isDone) return;
      ask(null);
      saved({ success: t('products.added', { name }) });
    });
  const choose = (definition: Definition) => {
    const needsStore = brokenStore(null, definition, project.organization, data.find) !== null;
    if (needsStore) ask(definition);
    else void add(definition, null);
  };
  const productOf = ({ id }: Definition) =>
    products.find(({ productDefinition }) => productDefinition === id);
  const stateOf = (definition: Definition) => {
    if (definitions.some(({ id }) => id === definition.id)) return 'open';
    return productOf(definition) === undefined ? 'gone' : 'taken';
  };
  const undoOf = (definition: Definition): (() => void) | null => {
    const product = productOf(definition);
    const made = changes.find(({ created }) => created?.id === product?.id);
    if (product === undefined || made?.canUndo !== true) return null;
    return () => {
      void once(async () => {
        await attempt(t('errors.generic'), () => data.changes.undo(made.id));
      });
    };
  };
  return (
    <>
      <ChoicesDialog title={t('project.products.popup.addTitle')} onClose={onClose}>
        {listed.length === 0 ? (
          <>
            <p className="soft">{t('project.products.popup.noProducts')}</p>
            {mayAdminister(viewer, project.organization) && (
              <Link to={`/organizations/${project.organization}/settings/products`}>
                {t('project.products.popup.toSettings')}
              </Link>
            )}
          </>
        ) : (
          <div className="product-groups">
            {groupsOf(listed).map(({ platform, definitions: those }) => (
              <Group key={platform} platform={platform} isBusy={isBusy}>
                {those.map((definition) => (
                  <Choice
                    key={definition.id}
                    icon={<ProductIcon name={definition.name} />}
                    name={definition.name}
                    description={meaningOf(definition, find, t)}
                    state={stateOf(definition)}
                    onUndo={undoOf(definition)}
                    onChoose={() => {
                      choose(definition);
                    }}
                  />
                ))}
              </Group>
            ))}
          </div>
        )}
      </ChoicesDialog>
      {question !== null && (
        <ChooseStore
          definition={question}
          organization={project.organization}
          isBusy={isBusy}
          onChoose={(store) => void add(question, store)}
          onClose={() => {
            ask(null);
          }}
        />
      )}
    </>
  );
}

/** All that `definitions` has held since the dialog opened, each in its place; new ones at the end. */
function useAllSince(definitions: readonly Definition[]): readonly Definition[] {
  const [all, setAll] = useState(definitions);
  const more = definitions.filter(({ id }) => all.every((other) => other.id !== id));
  if (more.length === 0) return all;
  setAll([...all, ...more]);
  return [...all, ...more];
}

/** The definitions by the platforms that they are for, each platform once. */
function groupsOf(definitions: readonly Definition[]) {
  return PLATFORMS.map((platform) => ({
    platform,
    definitions: definitions.filter(({ name }) => platformOf(name) === platform),
  })).filter(({ definitions: those }) => those.length > 0);
}

interface GroupProps {
  readonly platform: Platform;
  readonly isBusy: boolean;
  readonly children: ReactNode;
}

function Group({ platform, isBusy, children }: GroupProps) {
  const t = useText();
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <h3 id={id}>{t(`products.platform.${platform}`)}</h3>
      <ul className="product-choices" aria-busy={isBusy}>
        {children}
      </ul>
    </section>
  );
}

interface StoreProps {
  readonly definition: Definition;
  readonly organization: string;
  readonly isBusy: boolean;
  readonly onChoose: (store: string) => void;
  readonly onClose: () => void;
}

/** The organization's stores of the kind that the product needs. */
function ChooseStore({ definition, organization, isBusy, onChoose, onClose }: StoreProps) {
  const t = useText();
  const find = useFind();
  const { isSuperAdmin } = useViewer();
  const { record: owner } = useRecord('organization', organization);
  const { rows } = useList('store', {}, { sort: 'name' });
  useList('organizationStore', { organization });
  const stores = rows.filter(({ id }) => brokenStore(id, definition, organization, find) === null);

  return (
    <Dialog
      title={t('products.selectStore', { name: definition.name })}
      isBusy={isBusy}
      onClose={onClose}
      actions={
        <Button disabled={isBusy} onClick={onClose}>
          {t('common.cancel')}
        </Button>
      }
    >
      {stores.length === 0 ? (
        <Note tone="warning">
          {t('products.noStoresAvailable', { organization: owner?.name ?? '' })}{' '}
          {isSuperAdmin ? (
            <Link to={`/admin/settings/organizations/${organization}/stores`}>
              {t('org.setStores')}
            </Link>
          ) : (
            t('products.askForStore')
          )}
        </Note>
      ) : (
        <ul className="product-choices" aria-busy={isBusy}>
          {stores.map(({ id, name, description }) => (
            <Choice
              key={id}
              name={name}
              description={description}
              onChoose={() => {
                onChoose(id);
              }}
            />
          ))}
        </ul>
      )}
    </Dialog>
  );
}
