import type { World } from '../api/world.ts';

/** Changes that are sent through the hub, and what the server made of them. */
export interface Edits {
  /** The argument of a `PerformOperations` that adds a reviewer with a name of its own. */
  next(): string;
  /**
   * Returns how often each change was performed, in the order of `next`; resolves once none is
   * missing.
   */
  counts(): Promise<readonly number[]>;
}

/** Edits of the project of `world`, which its builder may make. */
export function editsIn(world: World): Edits {
  const ids: string[] = [];
  const { project } = world.ids;
  const count = () =>
    world.server.parts.db.read(async (tx) => {
      const reviewers = await tx.all('reviewer', { project });
      return ids.map((id) => reviewers.filter(({ name }) => name === id).length);
    });
  return {
    next: () => {
      const id = world.id();
      ids.push(id);
      const data = {
        type: 'reviewers',
        id: world.id(),
        attributes: { name: id, email: 'rita@x.test' },
        relationships: { project: { data: { type: 'projects', id: project } } },
      };
      return JSON.stringify({ operations: [{ op: 'add', data, meta: { id } }] });
    },
    counts: async () => {
      // A change that is performed after its client has gone is published to nobody: the feed has
      // it.
      for (;;) {
        const told = new Promise<void>((done) => {
          const stop = world.server.parts.bus.subscribe(() => {
            stop();
            done();
          });
        });
        const counts = await count();
        if (counts.every((times) => times > 0)) return counts;
        await told;
      }
    },
  };
}
