/** The "may import" column of the README's map, the owners of packages, no cycles. */
const SHARED = ['base', 'schema', 'rules', 'protocol', 'text'];

const mayImport = {
  base: [],
  schema: ['base'],
  rules: ['base', 'schema'],
  protocol: ['base', 'schema'],
  text: ['base'],
  session: ['base', 'schema', 'rules', 'protocol'],
  data: ['base', 'schema', 'rules', 'protocol', 'session'],
  files: ['base', 'schema', 'rules', 'protocol', 'session'],
  ui: ['base', 'text'],
  screens: [...SHARED, 'session', 'data', 'files', 'ui'],
  engine: SHARED,
  server: [...SHARED, 'engine'],
};

const layers = Object.entries(mayImport).map(([folder, others]) => ({
  name: `what-${folder}-may-import`,
  severity: 'error',
  from: { path: `^src/${folder}/` },
  to: { path: '^src/', pathNot: `^src/(${[folder, ...others].join('|')})/` },
}));

const owner = (name, packages, folders) => ({
  name,
  severity: 'error',
  from: { path: '^src/', pathNot: `^src/(${folders})` },
  to: { path: `node_modules/(${packages})` },
});

export default {
  forbidden: [
    ...layers,
    owner('only-data-moves-data', '@orbit|react-orbitjs|@microsoft/signalr', 'data/'),
    owner('only-ui-and-screens-use-semantic', 'semantic-ui', 'ui/|screens/'),
    owner(
      'only-server-serves',
      'fastify|@fastify|pg|kysely|@electric-sql|ws|oidc-provider|nodemailer|pino|xstate',
      'server/|engine/|server\\.ts',
    ),
    {
      name: 'no-cycles',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'no-tests-in-src',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^(tests|bench)/' },
    },
    { name: 'nothing-unresolved', severity: 'error', from: {}, to: { couldNotResolve: true } },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
};
