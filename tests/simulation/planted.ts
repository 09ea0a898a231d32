import { replaceLines } from '../tools/replace-lines.ts';
import type { Lines } from '../tools/replace-lines.ts';

/** Bugs put into the product for a run, to see that the simulation finds them. */
const PLANTED = {
  'an edit folded into a row that was sent': [
    [
      'src/data/outbox/coalesce.ts',
      [["row?.attempts !== 0 || row.state !== 'waiting'", 'row == null || !isUnderWay(row)']],
    ],
    ['src/data/storage/backup.ts', [['some((row) => row?.attempts !== 0)', 'some(() => false)']]],
  ],
  'the cursor saved before its records': [
    [
      'src/data/storage/server-update-writer.ts',
      [
        [
          '  #waiting = new WriteBatch();\n',
          '  #waiting = new WriteBatch();\n  #late = new WriteBatch();\n',
        ],
        [
          'this.#waiting.add(commit);\n',
          `const { records = new Map(), ...first } = commit;
           this.#waiting.add(first);
           if (this.#late.isEmpty)
             this.#environment.timers.set(() => {
               const late = this.#late;
               this.#late = new WriteBatch();
               if (this.#lead === 'none') return;
               this.#waiting.join(late);
               if (this.#timer === null) this.#writing ??= this.#write();
             }, 500);
           this.#late.add({ records });
          `,
        ],
      ],
    ],
  ],
  'an answer merged without its version': [
    [
      'src/data/sync/mutable-server-state.ts',
      [['if (!isOlder && (known?.meta.version ?? 0) > item.record.meta.version) return;', '']],
    ],
  ],
  'a sender that goes on after losing the lock': [
    ['src/data/tabs/leader.ts', [['    sender.stop();\n', '']]],
    [
      'src/data/storage/server-update-writer.ts',
      [['await this.#checkLead(tables);\n      const outbox', 'const outbox']],
    ],
  ],
  'a device that believes every answer': [
    [
      'src/data/sync/remote.ts',
      [['if (answer.commit !== null)', 'if (answer.commit === undefined)']],
    ],
  ],
  'a feed reader that steps over a late commit': [
    [
      'src/server/http/hub/broadcast.ts',
      [
        [
          'if (await this.advance()) this.isHinted = true;',
          `if (await this.advance()) this.isHinted = true;
           const head = await this.services.db.read(headOf);
           if (this.published !== null) this.published = head;`,
        ],
      ],
    ],
  ],
} as const satisfies Record<string, readonly (readonly [file: string, lines: Lines])[]>;

export type Planted = keyof typeof PLANTED;

export const plantedBugs = Object.keys(PLANTED) as readonly Planted[];

/** The environment of a process with that bug. @throws Error where its place is not found */
export function plant(name: string): NodeJS.ProcessEnv {
  const files = (PLANTED as Readonly<Record<string, readonly (readonly [string, Lines])[]>>)[name];
  if (files === undefined) throw new Error(`No such bug; there are: ${plantedBugs.join('; ')}`);
  return files.reduce((env, [file, lines]) => replaceLines(file, lines, env), process.env);
}
