import { DIVIDED_AREAS, entryTable, moduleTableOf } from './tests/tools/module-tables.ts';

/*
 * The tables in the READMEs say which module may import which; imports of types count. Besides them
 * stand the owners of packages, and that no files import each other in a circle.
 */

/** `main` stands for the files of an area that lie in none of its modules. */
function layersOf(of) {
  const table = moduleTableOf(of);
  const area = of === '' ? '' : `${of}/`;
  return Object.entries(table).map(([module, others]) => {
    const inner = Object.keys(table).filter((other) => other.startsWith(`${module}/`));
    const wiring = others.includes('main') ? '|[^/]+$' : '';
    return {
      name: `what-${area}${module}-may-import`.replaceAll('/', '-'),
      severity: 'error',
      from: {
        path: `^src/${area}${module}/`,
        ...(inner.length > 0 ? { pathNot: `^src/${area}(${inner.join('|')})/` } : {}),
      },
      to: {
        path: `^src/${area}`,
        pathNot: `^src/${area}((${[module, ...others].join('|')})/${wiring})`,
      },
    };
  });
}

/** An entry is a file, or a folder with all its files. */
const entryRules = Object.entries(entryTable()).map(([area, entries]) => ({
  name: `what-others-may-import-of-${area}`,
  severity: 'error',
  from: { path: '^src/', pathNot: `^src/${area}/` },
  to: {
    path: `^src/${area}/`,
    pathNot: `^src/${area}/(${entries.map((entry) => entry.replaceAll('.', '\\.')).join('|')})`,
  },
}));

const owner = (name, packages, folders) => ({
  name,
  severity: 'error',
  from: { path: '^src/', pathNot: `^src/(${folders})` },
  to: { path: `node_modules/(${packages})` },
});

export default {
  forbidden: [
    ...['', ...DIVIDED_AREAS].flatMap(layersOf),
    ...entryRules,
    owner('only-data-moves-data', '@orbit|react-orbitjs|@microsoft/signalr', 'data/'),
    owner('only-ui-and-screens-use-semantic', 'semantic-ui', 'ui/|screens/'),
    owner(
      'only-server-serves',
      'fastify|@fastify|pg|kysely|@electric-sql|ws|oidc-provider|nodemailer|pino',
      'server/|engine/|server\\.ts',
    ),
    {
      name: 'no-cycles',
      severity: 'error',
      from: { path: '^src/' },
      to: { circular: true },
    },
    {
      name: 'no-cycles-of-values-in-tests',
      severity: 'error',
      from: { path: '^tests/' },
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
