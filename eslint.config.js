import hooks from 'eslint-plugin-react-hooks';
import regexp from 'eslint-plugin-regexp';
import tseslint from 'typescript-eslint';

/** Each rule stands for a bug or a muddle it keeps out. */
export default tseslint.config(
  { ignores: ['dist/', 'var/', 'node_modules/', 'coverage/', 'test-results/', 'bench/peers/'] },
  ...tseslint.configs.strictTypeChecked,
  ...tseslint.configs.stylisticTypeChecked,
  {
    // These rules parse each file once more, with React's compiler: only where components or hooks are.
    files: [
      '**/*.tsx',
      'src/{data,files,screens,session,ui}/**',
      'tests/{parts,screens,support,ui}/**',
    ],
    ...hooks.configs.flat['recommended-latest'],
  },
  {
    // One expression that takes the square of a text's length stops the server for everybody.
    files: ['src/**', 'tests/tools/**'],
    plugins: { regexp },
    rules: {
      'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
      'regexp/no-contradiction-with-assertion': 'error',
      'regexp/no-dupe-disjunctions': ['error', { report: 'all' }],
      'regexp/no-misleading-capturing-group': 'error',
      'regexp/no-useless-assertions': 'error',
      'regexp/optimal-quantifier-concatenation': 'error',
    },
  },
  {
    // The tools of the tests read nothing but our own output.
    files: ['src/**'],
    rules: { 'regexp/no-super-linear-move': ['error', { report: 'potential' }] },
  },
  {
    languageOptions: {
      parserOptions: {
        projectService: { allowDefaultProject: ['*.js', '.dependency-cruiser.mjs'] },
      },
    },
    rules: {
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      'no-restricted-syntax': [
        'error',
        { selector: 'ExportDefaultDeclaration', message: 'Export by name: one thing, one name.' },
        { selector: 'TSEnumDeclaration', message: 'Use a union.' },
        { selector: 'FunctionDeclaration[id.name=/^with[A-Z]/]', message: 'Use a hook.' },
        {
          selector:
            'CallExpression[callee.property.name="describe"][arguments.0.type="ArrowFunctionExpression"]',
          message: 'Give it a title: it is a part of the names of its tests.',
        },
      ],
      // There are no enums of ours: the rule below refuses them.
      '@typescript-eslint/no-unsafe-enum-assignment': 'off',
      'no-console': 'error',
      eqeqeq: 'error',
      'max-lines': ['warn', { max: 300, skipBlankLines: true, skipComments: true }],
      complexity: ['warn', 10],
    },
  },
  {
    files: ['src/screens/**', 'src/ui/**'],
    rules: {
      'no-restricted-globals': ['error', 'fetch', 'localStorage', 'indexedDB', 'WebSocket'],
    },
  },
  {
    files: ['tests/**', 'bench/**'],
    rules: {
      '@typescript-eslint/no-unused-expressions': 'off',
      'max-lines': 'off',
    },
  },
  {
    // What loads these takes their default export.
    files: [
      '*.config.ts',
      '*.js',
      '.*.mjs',
      '**/playwright.config.ts',
      'tests/tools/*-reporter.ts',
    ],
    rules: { 'no-restricted-syntax': 'off' },
  },
  {
    // Who has no pointer has none of these.
    files: ['tests/end-to-end/keyboard*.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector:
            'MemberExpression > Identifier.property[name=/^(click|dblclick|tap|hover|check|uncheck|setChecked|fill|focus|selectOption|dragTo|dispatchEvent|mouse|touchscreen)$/]',
          message: 'The keyboard alone.',
        },
      ],
    },
  },
  { files: ['*.js', '.*.mjs'], extends: [tseslint.configs.disableTypeChecked] },
);
