import { expect } from 'chai';
import { seed } from '#server/db/migrations/004-seeds.ts';
import { NO_FLAGS } from '#server/domain/workflow/guards.ts';
import type { Flags } from '#server/domain/workflow/guards.ts';
import type { Machine } from '#server/domain/workflow/machine.ts';
import { flows, formOf, machines } from '#server/domain/workflow/machines/machines.ts';
import { start } from '#server/domain/workflow/step.ts';
import { isFinal, isPersons } from '#server/domain/workflow/steps.ts';
import type { State } from '#server/domain/workflow/steps.ts';
import { namesOf, wayFrom } from '#server/domain/workflow/transitions.ts';
import { known, theMachine } from './life.ts';

/** The states on the way from `state`, it included. */
function way(machine: Machine, state: State, flags: Flags = NO_FLAGS): readonly (string | null)[] {
  const names = namesOf(known().actors, (user) => user);
  const ahead = wayFrom(machine, { state, flags }, known(), names);
  return [state, ...ahead.map(({ destinationState }) => destinationState)];
}

/** The usual way of the scheme called `AppBuilders_` and `name`, from its start. */
function usualWay(name: string): string {
  const machine = theMachine(name);
  const began = start(machine, known());
  return began.is === 'refused' ? began.because : way(machine, began.state).join(' → ');
}

const APPROVED =
  'Readiness Check → Approval → Product Creation → App Builder Configuration → Product Build';
const CREATED = 'Product Creation → App Builder Configuration → Product Build';
const LIVE = 'Verify and Publish → Product Publish → Make It Live → Published';
const OUT = 'Verify and Publish → Product Publish → Published';

describe('[domain 4.6] the usual way', () => {
  const ways: Readonly<Record<string, string>> = {
    Default_Android_GooglePlay: `${APPROVED} → App Store Preview → Create App Store Entry → ${LIVE}`,
    LowAdmin_Android_GooglePlay: `${CREATED} → Create App Store Entry → ${LIVE}`,
    OwnerAdmin_Android_GooglePlay: `${CREATED} → Create App Store Entry → ${LIVE}`,
    Default_Android_S3: `${APPROVED} → ${OUT}`,
    NoAdmin_Android_S3: `${CREATED} → ${OUT}`,
    Default_Pwa_Cloud: `${CREATED} → ${OUT}`,
    Default_Html_Cloud: `${CREATED} → ${OUT}`,
    Default_Android_GooglePlay_Rebuild: `Product Rebuild → ${OUT}`,
    Default_Android_S3_Rebuild: `Product Rebuild → ${OUT}`,
    Default_Pwa_Cloud_Rebuild: `Product Rebuild → ${OUT}`,
    Default_Html_Cloud_Rebuild: `Product Rebuild → ${OUT}`,
    Default_Android_GooglePlay_Republish: `Product Republish → ${OUT}`,
  };

  for (const [name, expected] of Object.entries(ways))
    it(`of ${name} is as it is written`, () => {
      expect(usualWay(name)).to.equal(expected);
    });

  it('is written for every machine there is', () => {
    const names = Object.keys(ways).map((name) => `AppBuilders_${name}`);
    expect([...machines.keys()].sort()).to.deep.equal(names.sort());
  });

  it('of an app that is in the store already goes past the store entry and the going live', () => {
    const machine = theMachine('Default_Android_GooglePlay');
    expect(way(machine, 'Product Build', { ...NO_FLAGS, existing: true }).join(' → ')).to.equal(
      `Product Build → ${OUT}`,
    );
  });

  it('of an app whose build a person uploaded by hand goes past the store entry alone', () => {
    const machine = theMachine('Default_Android_GooglePlay');
    const uploaded = { buildId: 7, versionCode: '12' };
    expect(way(machine, 'Synchronize Data', { ...NO_FLAGS, uploaded }).join(' → ')).to.equal(
      `Synchronize Data → Product Build → ${LIVE}`,
    );
  });
});

describe('[domain 4.2] the part of the table that a machine has', () => {
  const rulesOf = (name: string) => theMachine(name).steps.map(({ rule }) => rule.slice(1));
  const span = (from: number, to: number) =>
    Array.from({ length: to - from + 1 }, (_, i) => String(from + i));

  it('is all but what other families and other options have, with approval and preview', () => {
    const others = ['2', '3', '4', '15', '21'];
    expect(rulesOf('Default_Android_GooglePlay')).to.deep.equal(
      span(1, 40).filter((rule) => !others.includes(rule)),
    );
  });

  it('has neither approval nor preview where nobody is to approve', () => {
    const rules = ['2', '12', '13', '14', ...span(16, 19), ...span(21, 28), ...span(31, 40)];
    expect(rulesOf('LowAdmin_Android_GooglePlay')).to.deep.equal(rules);
    expect(rulesOf('OwnerAdmin_Android_GooglePlay')).to.deep.equal(rules);
  });

  it('knows no store entry outside the Play store', () => {
    const rest = ['12', ...span(15, 19), ...span(22, 28), ...span(33, 36), '38'];
    expect(rulesOf('Default_Android_S3')).to.deep.equal(['1', ...span(5, 11), ...rest]);
    for (const name of ['NoAdmin_Android_S3', 'Default_Pwa_Cloud', 'Default_Html_Cloud'])
      expect(rulesOf(name)).to.deep.equal(['2', ...rest]);
  });

  it('of a rebuild or a republish begins with the build, with synchronizing, or with an earlier release', () => {
    const again = [...machines.keys()].filter((name) => /Re(build|publish)$/.test(name));
    expect(again).to.have.length(5);
    for (const name of again)
      expect(rulesOf(name.slice('AppBuilders_'.length))).to.deep.equal([
        '3',
        '4',
        '19',
        ...span(22, 28),
        ...span(33, 36),
        ...['38', '42'],
      ]);
  });

  it('gives the store entry to an admin, or in OwnerAdmin to the owner', () => {
    const storeSteps = (name: string) =>
      theMachine(name)
        .steps.filter(({ from }) => ['Create App Store Entry', 'Make It Live'].includes(from))
        .map(({ who }) => who);
    expect(new Set(storeSteps('Default_Android_GooglePlay'))).to.deep.equal(new Set(['OrgAdmin']));
    expect(new Set(storeSteps('LowAdmin_Android_GooglePlay'))).to.deep.equal(new Set(['OrgAdmin']));
    expect(new Set(storeSteps('OwnerAdmin_Android_GooglePlay'))).to.deep.equal(new Set(['Owner']));
  });
});

describe('[domain 6.1] every state', () => {
  /** Scheme and flow of every definition that an installation starts with. */
  const pairs: (readonly [scheme: string, flow: string])[] = [];

  before(async () => {
    const query = (statement: string, values: readonly unknown[] = []) => {
      const [, columns = ''] = /^insert into workflow_definitions \((.*?)\)/.exec(statement) ?? [];
      const valueOf = (column: string) => String(values[columns.split(', ').indexOf(column)]);
      if (columns !== '')
        pairs.push([valueOf('workflow_scheme'), valueOf('workflow_business_flow')]);
      return Promise.resolve();
    };
    await seed({ query } as never, { clock: () => 0 } as never);
  });

  it('of every seeded definition has a form, or is automatic and shows that it waits', () => {
    expect(pairs).to.have.length(14);
    for (const [scheme, flow] of pairs) {
      expect(Object.keys(flows)).to.include(flow);
      const { steps } = machines.get(scheme) ?? { steps: [] };
      expect(steps, scheme).to.not.have.length(0);
      for (const { to } of steps) {
        const hasForm = isFinal(to) || steps.some((step) => step.from === to && isPersons(step));
        expect(formOf(flow, to) !== 'waiting', `${scheme}, ${to}`).to.equal(hasForm);
      }
    }
  });

  it('has the form that its flow names', () => {
    const forms = (state: State) => Object.keys(flows).map((flow) => formOf(flow, state));
    expect(Object.keys(flows).map((flow) => flow.slice('AppBuilders_'.length))).to.deep.equal([
      'Android_GooglePlay_Flow',
      'Android_S3_Flow',
      'AssetPackage_Flow',
      'Web_Flow',
    ]);
    expect(forms('Approval')).to.deep.equal(['approval', 'approval', 'waiting', 'waiting']);
    expect(forms('App Builder Configuration')).to.deep.equal([
      'google-play-configuration',
      'app-configuration',
      'app-configuration',
      'app-configuration',
    ]);
    expect(forms('Verify and Publish')).to.deep.equal([
      'google-play-verify',
      'verify',
      'asset-package-verify',
      'web-verify',
    ]);
    expect(new Set(forms('Author Upload'))).to.deep.equal(new Set(['author-upload']));
    expect(new Set(forms('Product Publish'))).to.deep.equal(new Set(['waiting']));
  });

  it('of a flow that nobody knows shows that it waits', () => {
    for (const flow of ['AppBuilders_Other_Flow', 'toString', ''])
      expect(formOf(flow, 'Approval')).to.equal('waiting');
  });
});

describe('a machine that is stuck', () => {
  it('may be moved to each of its user states and to its build, and nowhere else', () => {
    expect(theMachine('Default_Html_Cloud_Rebuild').movable).to.deep.equal([
      'Synchronize Data',
      'Author Download',
      'Author Upload',
      'Verify and Publish',
      'Product Rebuild',
    ]);
    expect(theMachine('Default_Android_GooglePlay').movable).to.have.length(13);
  });
});
