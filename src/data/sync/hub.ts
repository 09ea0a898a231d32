import {
  HttpTransportType,
  HubConnectionBuilder,
  HubConnectionState,
  LogLevel,
} from '@microsoft/signalr';
import type { IHttpConnectionOptions } from '@microsoft/signalr';
import { HUB_PATH } from '#protocol/hub.ts';
import type { SignalRConnection } from '../model/environment.ts';

/** The browser's own, where it has them. */
interface Sockets {
  readonly WebSocket?: typeof WebSocket;
  readonly EventSource?: typeof EventSource;
}

/**
 * A browser's connection to the hub at `origin`: a WebSocket, which any process of the server takes
 * at once; where none gets through, what is negotiated: events, else long polling.
 */
export function signalrHub(
  origin: string,
  accessToken: () => Promise<string>,
  { WebSocket, EventSource }: Sockets,
): SignalRConnection {
  const build = (options: IHttpConnectionOptions) =>
    new HubConnectionBuilder()
      .withUrl(`${origin}${HUB_PATH}`, { accessTokenFactory: accessToken, ...options })
      .configureLogging(LogLevel.None)
      .build();
  // SignalR does not say which transport it chose; its events do, when they open.
  let isStreamed = false;
  let isStopped = false;
  const direct = build({
    skipNegotiation: true,
    transport: HttpTransportType.WebSockets,
    ...(WebSocket && { WebSocket }),
  });
  const negotiated = build({
    transport: HttpTransportType.ServerSentEvents | HttpTransportType.LongPolling,
    ...(EventSource && {
      EventSource: reportingOpen(EventSource, () => {
        isStreamed = true;
      }),
    }),
  });
  let hub = direct;
  return {
    start: async () => {
      try {
        await direct.start();
      } catch (error) {
        if (isStopped) throw error;
        hub = negotiated;
        await hub.start();
      }
    },
    stop: () => {
      isStopped = true;
      return hub.stop();
    },
    on: (method, handler) => {
      direct.on(method, handler);
      negotiated.on(method, handler);
    },
    onclose: (callback) => {
      direct.onclose(callback);
      negotiated.onclose(callback);
    },
    invoke: (method, ...values) => hub.invoke(method, ...values),
    transport: () => {
      if (hub.state !== HubConnectionState.Connected) return null;
      if (hub === direct) return 'WebSockets';
      if (isStreamed) return 'ServerSentEvents';
      return EventSource ? 'LongPolling' : null;
    },
  };
}

type SocketClass = new (...values: never[]) => EventTarget;

/** `Socket`, calling `opened` when one of it has opened. */
function reportingOpen<S extends SocketClass>(Socket: S, opened: () => void): S {
  return new Proxy(Socket, {
    construct: (target, values: never[]) => {
      const socket = new target(...values);
      socket.addEventListener('open', opened);
      return socket;
    },
  });
}
