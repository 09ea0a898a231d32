import { bool, int, line, many, one, resource, text } from './define.ts';
import type { RecordOf } from './define.ts';

/** One run of the build engine. `success` false: failed; `buildVersion` null: pending. */
export const productBuild = resource(
  'productBuild',
  'LG',
  {
    /** `version` on the wire; in our code that is the version of a record. */
    buildVersion: line().by('server'),
    buildId: int().by('server'),
    success: bool().by('server'),
    phase: line().by('server'),
    error: line().by('server'),
    logUrl: line().by('server'),
    logTail: text(4_000).by('server'),
    queuePosition: int().by('server'),
    product: one('product').by('server'),
    productArtifacts: many('productArtifact', 'productBuild'),
    productPublications: many('productPublication', 'productBuild'),
  },
  {
    belongsTo: 'product.project.organization',
    below: ['product'],
    load: 'first',
    narrowed: true,
    isSeenFromOutside: true,
  },
);

export type ProductBuild = RecordOf<typeof productBuild>;
