import { bool, choice, instant, int, line, many, one, resource, text } from './define.ts';
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
    /** What began it; null for a build that is older than the field and of which nothing tells. */
    triggeredBy: choice('person', 'upload', 'rebuild', 'retry').by('server'),
    /** When the engine began to work on it; it was requested at `dateCreated`. */
    dateStarted: instant().by('server'),
    dateFinished: instant().by('server'),
    /** The bytes of its files together, without the logs. */
    fileSize: int().by('server'),
    product: one('product').by('server'),
    startedBy: one('user').by('server'),
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
