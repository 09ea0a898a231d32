import {
  HttpTransportType,
  HubConnectionBuilder,
  HubConnectionState,
  LogLevel,
} from '@microsoft/signalr';
import { HUB_PATH } from '#protocol/hub.ts';
import type { Hub, Transport } from './environment.ts';

/** The browser's own, where it has them. */
interface Sockets {
  readonly WebSocket?: typeof WebSocket;
  readonly EventSource?: typeof EventSource;
}

/** A browser's connection to the hub at `origin`: WebSockets, else events, else long polling. */
export function signalrHub(
  origin: string,
  accessToken: () => Promise<string>,
  sockets: Sockets,
): Hub {
  // SignalR does not say which transport it fell back to; its sockets do, when they open.
  let opened: Transport | null = null;
  const opens = (transport: Transport) => (): void => {
    opened = transport;
  };
  const hub = new HubConnectionBuilder()
    .withUrl(`${origin}${HUB_PATH}`, {
      accessTokenFactory: accessToken,
      transport:
        HttpTransportType.WebSockets |
        HttpTransportType.ServerSentEvents |
        HttpTransportType.LongPolling,
      ...(sockets.WebSocket && {
        WebSocket: telling(sockets.WebSocket, opens('WebSockets')),
      }),
      ...(sockets.EventSource && {
        EventSource: telling(sockets.EventSource, opens('ServerSentEvents')),
      }),
    })
    .configureLogging(LogLevel.None)
    .build();
  return {
    start: () => hub.start(),
    stop: () => hub.stop(),
    on: (method, handler) => {
      hub.on(method, handler);
    },
    onclose: (callback) => {
      hub.onclose(callback);
    },
    invoke: (method, ...values) => hub.invoke(method, ...values),
    transport: () => {
      if (hub.state !== HubConnectionState.Connected) return null;
      const isKnown = sockets.WebSocket !== undefined && sockets.EventSource !== undefined;
      return opened ?? (isKnown ? 'LongPolling' : null);
    },
  };
}

type SocketClass = new (...given: never[]) => EventTarget;

/** `Socket`, calling `opened` when one of it has opened. */
function telling<S extends SocketClass>(Socket: S, opened: () => void): S {
  return new Proxy(Socket, {
    construct: (target, given: never[]) => {
      const socket = new target(...given);
      socket.addEventListener('open', opened);
      return socket;
    },
  });
}
