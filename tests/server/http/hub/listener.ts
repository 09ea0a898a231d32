import { HttpTransportType, HubConnectionBuilder, LogLevel } from '@microsoft/signalr';
import type { HubConnection, IRetryPolicy } from '@microsoft/signalr';
import { HUB_PATH, hubEvents, hubMethods } from '#protocol/hub.ts';
import type { Subscription } from '#protocol/hub.ts';
import type { HubUpdateMessage } from '#protocol/operations.ts';
import { makeWorld } from '../api/world.ts';
import type { World } from '../api/world.ts';

/** The stock SignalR client, as our app uses it, with what it has received. */
export interface Listener {
  readonly hub: HubConnection;
  readonly heard: readonly HubUpdateMessage[];
  /** The next message that was not taken yet, when it is there. */
  next(): Promise<HubUpdateMessage>;
  subscribe(channel: string): Promise<Subscription>;
  /** Resolves with the reason when the connection is over. */
  readonly closed: Promise<Error | undefined>;
  stop(): Promise<void>;
}

export const transports = {
  WebSockets: HttpTransportType.WebSockets,
  'server-sent events': HttpTransportType.ServerSentEvents,
  'long polling': HttpTransportType.LongPolling,
} as const;

export interface Listening {
  readonly transport?: HttpTransportType;
  readonly reconnect?: IRetryPolicy;
}

/** Connects the stock client to the server at `url` as the person of `token`. */
export async function listen(
  url: string,
  token: string,
  { transport = HttpTransportType.WebSockets, reconnect }: Listening = {},
): Promise<Listener> {
  const builder = new HubConnectionBuilder()
    .withUrl(`${url}${HUB_PATH}`, { transport, accessTokenFactory: () => token })
    .configureLogging(LogLevel.None);
  const hub = (
    reconnect === undefined ? builder : builder.withAutomaticReconnect(reconnect)
  ).build();

  const heard: HubUpdateMessage[] = [];
  const waiting: ((message: HubUpdateMessage) => void)[] = [];
  let taken = 0;
  hub.on(hubEvents.updated, (json: string) => {
    heard.push(JSON.parse(json) as HubUpdateMessage);
    const message = heard[taken];
    if (message !== undefined && waiting.length > 0) {
      taken += 1;
      waiting.shift()?.(message);
    }
  });
  const closed = new Promise<Error | undefined>((done) => {
    hub.onclose(done);
  });
  await hub.start();
  return {
    hub,
    heard,
    closed,
    next: () => {
      const message = heard[taken];
      if (message === undefined) return new Promise((done) => waiting.push(done));
      taken += 1;
      return Promise.resolve(message);
    },
    subscribe: (channel) => hub.invoke(hubMethods.subscribe, channel),
    stop: () => hub.stop(),
  };
}

/** Returns a message in short: `update projects/…`. */
export function toldBy({ operations }: HubUpdateMessage): string[] {
  return operations.map((operation) => {
    const { type, id } = operation.op === 'remove' ? operation.ref : operation.data;
    return `${operation.op} ${type}/${id}`;
  });
}

/** Makes a world whose server has sent to its hub all that made it. */
export async function makePublishedWorld(): Promise<World> {
  const world = await makeWorld();
  const { project } = world.ids;
  const listener = await listen(world.server.url, world.people.member.token);
  await listener.subscribe('changes');
  await world.write((w) => w.change('project', project, { description: 'published' }));
  let told: string[];
  do told = toldBy(await listener.next());
  while (!told.includes(`update projects/${project}`));
  await listener.stop();
  return world;
}
