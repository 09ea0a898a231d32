/** One way of getting frames to a client. What it hears from the client, it tells its `Ears`. */
export interface Transport {
  /** False where the client shows by itself that it is there, and hears that we are. */
  readonly needsPings: boolean;
  /** Whether what the client says comes by requests of their own, which may arrive after its end. */
  readonly isPostedTo: boolean;
  /** Whether the client is there this moment, whatever it has said. */
  isAsked(): boolean;
  /** Sends whole frames, in order; after `close` and after the client has gone it does nothing. */
  send(frames: string): void;
  /** Characters that were sent and that the client has not taken yet. */
  waiting(): number;
  /** Ends the connection once everything sent is out, or the client does not take it. */
  close(): void;
}

export interface TransportListener {
  /** Bytes from the client, one message of the transport: frames, or a part of one. */
  received(bytes: Buffer): void;
  /** The client has taken everything that was waiting. */
  drained(): void;
  /** The client showed that it is there, without saying anything. */
  alive(): void;
  /** The client is gone, or `close` is done. Said once; nothing comes after it. */
  closed(): void;
}
