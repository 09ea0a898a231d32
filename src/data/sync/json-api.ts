import { JSONAPIRequestProcessor, JSONAPISource, JSONAPIURLBuilder } from '@orbit/jsonapi';
import type { JSONAPIResponse } from '@orbit/jsonapi';
import type { RecordSchema } from '@orbit/records';
import { paths } from '#protocol/paths.ts';
import type { TypeName } from '#schema/index.ts';
import type { Environment } from '../model/environment.ts';
import { DoesNotFit, recordFrom } from '../model/record.ts';
import type { StoreRecord } from '../model/record.ts';
import type { Remote } from './remote.ts';
import { busyError } from '../model/answer.ts';
import type { ApiResponse } from '../model/answer.ts';
import { isUndecided } from './verdicts.ts';

/**
 * Sends queries as JSON:API. It holds nothing: answers go on as transforms, to be applied to the
 * server state (`coordinators.ts`).
 */
export class JsonApi extends JSONAPISource {
  #leftOut = 0;

  constructor(
    schema: RecordSchema,
    remote: Pick<Remote, 'request'>,
    report: Environment['report'],
  ) {
    const leftOut = (why: string): void => {
      this.#leftOut += 1;
      report('A record that came in does not fit', why);
    };
    super({
      schema,
      name: 'remote',
      autoActivate: false,
      autoValidate: false,
      RequestProcessorClass: class extends JSONAPIRequestProcessor {
        override async fetch(url: string): Promise<JSONAPIResponse> {
          const answer = await remote.request(url);
          if (isUndecided(answer.status)) throw busyError(answer);
          if (answer.status >= 400) throw new Refused(answer);
          return { response: new Response(), document: answer.document as never };
        }
      },
      URLBuilderClass: class extends JSONAPIURLBuilder {
        override resourceURL(type: string, id?: string): string {
          const name = type as TypeName;
          return id === undefined ? paths.list(name) : paths.record(name, id);
        }
      },
      // One pass from the wire to the store, checked; Orbit's own serializers would need a second.
      serializerFor: (type) =>
        (type === 'resourceDocument'
          ? {
              deserialize: (document: Readonly<Record<string, unknown>>) =>
                recordsIn(document, leftOut),
            }
          : undefined) as never,
    });
    this.requestQueue.on('fail', () => this.requestQueue.skip());
  }

  /** How many records did not fit so far: their documents may have been garbled on the way. */
  get leftOut(): number {
    return this.#leftOut;
  }
}

/** The records of a document; those that do not fit are left out. */
export function recordsIn(
  document: Readonly<Record<string, unknown>>,
  leftOut: (why: string) => void,
): { data: StoreRecord[]; included: StoreRecord[] } {
  const read = (value: unknown): StoreRecord[] =>
    [value ?? []].flat().flatMap((resource) => {
      try {
        return [recordFrom(resource)];
      } catch (error) {
        if (!(error instanceof DoesNotFit)) throw error;
        leftOut(error.message);
        return [];
      }
    });
  return { data: read(document.data), included: read(document.included) };
}

/** The server refused a query. */
class Refused extends Error {
  readonly answer: ApiResponse;
  constructor(answer: ApiResponse) {
    super(answer.errors[0]?.title ?? `Status ${answer.status}`);
    this.name = 'Refused';
    this.answer = answer;
  }
}
