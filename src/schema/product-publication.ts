import { bool, int, line, one, resource, text } from './define.ts';
import type { RecordOf } from './define.ts';

/** One release of a build to the store. `success` null: still running. */
export const productPublication = resource(
  'productPublication',
  'LG',
  {
    releaseId: int().by('server'),
    channel: line().by('server'),
    success: bool().by('server'),
    logUrl: line().by('server'),
    package: line().by('server'),
    phase: line().by('server'),
    error: line().by('server'),
    /** The version that it is called by; null: that of its build. */
    releaseVersion: line(50).by('server'),
    /** What is new in it, for those who use it. */
    releaseNotes: text(2_000).by('server'),
    product: one('product').by('server'),
    productBuild: one('productBuild').by('server'),
  },
  { belongsTo: 'product.project.organization', below: ['product'], load: 'first', narrowed: true },
);

export type ProductPublication = RecordOf<typeof productPublication>;
