import { choice, instant, json, line, many, one, resource, text } from './define.ts';
import type { RecordOf } from './define.ts';

/** One product definition applied to one project. */
export const product = resource(
  'product',
  'LGCUD',
  {
    properties: json(65_536),
    datePublished: instant().by('server'),
    dateBuilt: instant().by('server'),
    versionBuilt: line().by('server'),
    publishLink: line().by('server'),
    /** The state the product is in; null when no workflow runs. */
    workflowState: line().by('server'),
    /** Who does the forward step of the state; null when nobody is waited for. */
    waitingFor: choice('owner', 'authors', 'admins').by('server'),
    /** What the last step was, if it was a failure. */
    failure: choice('build', 'release', 'rejected').by('server'),
    failureReason: text(250).by('server'),
    /** The version that is out. */
    versionPublished: line().by('server'),
    project: one('project').required().by('create'),
    productDefinition: one('productDefinition').required().by('create'),
    store: one('store').by('create'),
    storeLanguage: one('storeLanguage').by('server'),
    productWorkflow: one('workflowDefinition').by('server'),
    /** The person who alone can do what is waited for; null when several can, or nobody. */
    assigned: one('user').by('server'),
    productBuilds: many('productBuild', 'product'),
    productArtifacts: many('productArtifact', 'product'),
    productPublications: many('productPublication', 'product'),
    productTransitions: many('productTransition', 'product'),
    productComments: many('productComment', 'product'),
    userTasks: many('userTask', 'product'),
  },
  {
    belongsTo: 'project.organization',
    below: ['project'],
    load: 'first',
    narrowed: true,
    isSeenFromOutside: true,
    unique: ['project', 'productDefinition'],
    delaysRemoval: true,
  },
);

export type Product = RecordOf<typeof product>;
