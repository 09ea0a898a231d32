import { choice, line, one, resource } from './define.ts';
import type { RecordOf } from './define.ts';

/** A request to start or cancel a workflow of a product; can wait offline. */
export const productActionRun = resource(
  'productActionRun',
  'C',
  {
    action: choice('rebuild', 'republish', 'cancel').required().by('create'),
    state: line().by('create'),
    product: one('product').required().by('create'),
    /** The build to roll back to, of a republish alone, and the publication that it is to replace. */
    build: one('productBuild').by('create'),
    insteadOf: one('productPublication').by('create'),
  },
  { belongsTo: 'product.project.organization', isStored: false, isCommand: true },
);

export type ProductActionRun = RecordOf<typeof productActionRun>;
