import { wireTypeOf } from '#protocol/names.ts';
import { mayAddProduct } from '#rules/product.ts';
import { mayArchive } from '#rules/project.ts';
import { builtUpon, refusesUndo } from '#rules/undo/undo.ts';
import type { Of, TypeName } from '#schema/index.ts';
import type { ChangeTarget } from '#data/model/change.ts';
import type { ChangeRow } from '#data/model/views.ts';
import { useData, useFind, useViewer } from '#data/react/hooks.ts';
import { useText } from '#ui/text/text.ts';

/** The panel's offer to undo a change. */
export interface UndoOffer {
  readonly isOffered: boolean;
  /**
   * Says in a sentence why it is not offered any more, or was refused; null: nothing was built on
   * it.
   */
  readonly whyNot: string | null;
  /** The project that can be archived instead. */
  readonly archives: Of<'project'> | null;
  /** The product that can be removed by its menu's own command instead. */
  readonly removes: Of<'product'> | null;
}

/**
 * Says whether a change can be undone: its own creation only while nothing was built upon it, as
 * far as this device knows (screens 1.6). The server judges again.
 */
export function useUndoOffer(row: ChangeRow): UndoOffer {
  const data = useData();
  const find = useFind();
  const viewer = useViewer();
  const saysWhy = useBuiltUponText();
  const refused = usesRefusing(row);
  const instead = ({ type, id }: ChangeTarget): Pick<UndoOffer, 'archives' | 'removes'> => {
    const project = type === 'project' ? find.one(type, id) : null;
    const product = type === 'product' ? find.one(type, id) : null;
    const archives = project?.dateArchived === null && mayArchive(viewer, project) ? project : null;
    const removes = product !== null && mayAddProduct(viewer, product, find) ? product : null;
    return { archives, removes };
  };
  const offered = { isOffered: row.canUndo, whyNot: null, archives: null, removes: null };
  if (refused !== null)
    return { isOffered: false, whyNot: saysWhy(refused), ...instead(row.about) };

  // A change that was not sent is removed with all that depends on it, and the person hears of that
  // before.
  const created = row.canUndo && row.state === 'done' ? row.created : null;
  const record = created === null ? null : find.one(created.type, created.id);
  if (created === null || record === null) return offered;
  const built = builtUpon(created.type, record, find);
  const isOwn = ({ id }: { readonly id: string }) =>
    data.changes.view().rows.some((other) => other.created?.id === id);
  const uses = refusesUndo(built, isOwn);
  if (uses === null) return offered;
  const counts = Object.entries(uses).map(
    ([type, count]) => [wireTypeOf(type as TypeName), count] as const,
  );
  const whyNot = saysWhy(Object.fromEntries(counts));
  return { isOffered: false, whyNot, ...instead(created), removes: null };
}

type Counts = Readonly<Record<string, number>>;

/**
 * The records in use because of which the server refused the undo, by wire type; null: it refused
 * nothing of the kind.
 */
function usesRefusing({ says, problem }: ChangeRow): Counts | null {
  if (says[0] !== 'changes.undone' || problem?.code !== 'in-use') return null;
  const by = problem.meta?.by;
  return typeof by === 'object' && by !== null ? (by as Counts) : null;
}

const NAMED = [
  'authors',
  'product-builds',
  'product-publications',
  'product-transitions',
  'products',
  'reviewers',
] as const;

function useBuiltUponText(): (counts: Counts) => string {
  const t = useText();
  return (counts) => {
    const parts = Object.entries(counts).map(([type, count]) => {
      const named = NAMED.find((name) => name === type);
      return t(`changes.upon.${named ?? 'others'}`, { count });
    });
    return t('changes.builtUpon', { what: parts.join(', ') });
  };
}
