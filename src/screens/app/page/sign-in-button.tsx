import { useId, useState } from 'react';
import { NoAnswerError } from '#session/environment.ts';
import { signIn } from '#session/sign-in.tsx';
import { Button } from '#ui/form/controls.tsx';
import { NeedsConnection } from '#ui/status/boxes.tsx';
import { useOnline } from './device/use-online.ts';

interface SignInButtonProps {
  readonly label: string;
  /** Called before it leaves: keeps where to come back to. */
  readonly onLeave?: () => void;
  /** The server did not answer. */
  readonly onFailure: () => void;
}

/** Leaves for the identity provider, where there is a connection. */
export function SignInButton({ label, onLeave, onFailure }: SignInButtonProps) {
  const id = useId();
  const isOnline = useOnline();
  const [isLeaving, setLeaving] = useState(false);
  const leave = async () => {
    setLeaving(true);
    onLeave?.();
    try {
      await signIn();
    } catch (error) {
      if (!(error instanceof NoAnswerError)) throw error;
      setLeaving(false);
      onFailure();
    }
  };
  return (
    <div className="button-row">
      <Button
        primary
        fluid
        disabled={!isOnline || isLeaving}
        aria-describedby={isOnline ? undefined : id}
        onClick={() => void leave()}
      >
        {label}
      </Button>
      {!isOnline && <NeedsConnection id={id} />}
    </div>
  );
}
