/**
 * One way of getting frames to a client. It passes on to its `TransportListener` what comes from
 * the client.
 */
export interface Transport {
  /** False when the client shows by itself that it is there, and notices that we are. */
  readonly needsPings: boolean;
  /**
   * True when the client's messages come by requests of their own, which may arrive after its end.
   */
  readonly isPostedTo: boolean;
  /** Returns true when the client is there at this moment, whatever it has sent. */
  isPolled(): boolean;
  /** Sends whole frames, in order; it does nothing after `close`, or after the client has gone. */
  send(frames: string): void;
  /** Returns the number of characters that were sent and that the client has not taken yet. */
  waiting(): number;
  /** Ends the connection once everything sent is out, or the client does not take it. */
  close(): void;
}

export interface TransportListener {
  /** Receives bytes from the client, one message of the transport: frames, or a part of one. */
  received(bytes: Buffer): void;
  /** The client has taken everything that was waiting. */
  drained(): void;
  /** The client showed that it is there, without sending anything. */
  alive(): void;
  /** The client is gone, or `close` is done. It is called once; nothing comes after it. */
  closed(): void;
}
