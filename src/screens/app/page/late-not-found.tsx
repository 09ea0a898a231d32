import { LatePart, loadWithTexts } from './late/late-part.tsx';

const load = loadWithTexts(async () => (await import('./not-found.tsx')).NotFound);
const loadPage = loadWithTexts(async () => (await import('./not-found.tsx')).NotFoundPage);

interface Props {
  /** The record that was here, when own changes of it were not sent. */
  readonly withChangesOf?: string | null;
}

/** `NotFound`, whose script comes when it is wanted: most people never see it. */
export function LateNotFound({ withChangesOf = null }: Props) {
  return <LatePart load={load} props={{ withChangesOf }} />;
}

export function LateNotFoundPage() {
  return <LatePart load={loadPage} props={{}} />;
}
