import { useRef, useState } from 'react';
import type { DragEvent } from 'react';
import { Button } from './controls.tsx';
import { Icon } from '../picture/icon.tsx';

interface Props {
  /** The `accept` of the file input. */
  readonly accept: string;
  /** The text of the button. */
  readonly label: string;
  readonly help: string;
  /** Ids of what else describes the button. */
  readonly describedBy?: string;
  readonly onFile: (file: File) => void;
}

/** A file, chosen in the browser's dialog or dropped here. */
export function DropFile({ accept, label, help, describedBy, onFile }: Props) {
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setOver] = useState(false);
  const choose = (list: FileList | null) => {
    const file = list?.[0];
    if (file !== undefined) onFile(file);
  };
  return (
    <div
      className={`drop-file ${isOver ? 'is-over' : ''}`}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => {
        setOver(false);
      }}
      onDrop={(event: DragEvent) => {
        event.preventDefault();
        setOver(false);
        choose(event.dataTransfer.files);
      }}
    >
      <input
        ref={input}
        type="file"
        accept={accept}
        className="out-of-sight"
        tabIndex={-1}
        // The button says it, and opens it.
        aria-hidden
        onChange={(event) => {
          choose(event.target.files);
          // The same file can be chosen again once it has been corrected.
          event.target.value = '';
        }}
      />
      <Button
        type="button"
        aria-describedby={describedBy}
        onClick={() => {
          input.current?.click();
        }}
      >
        <Icon name="arrowUp" />
        {label}
      </Button>
      <span className="caption">{help}</span>
    </div>
  );
}
