import { useNavigate } from 'react-router-dom';

/** Leads back to where one came from; a person who came by address goes to their own projects. */
export function useBack(): () => void {
  const go = useNavigate();
  return () => {
    void (hasComeFromHere() ? go(-1) : go('/projects/own'));
  };
}

/** Says whether Back leads to another page of ours: the router counts those of this visit. */
function hasComeFromHere(): boolean {
  const state: unknown = history.state;
  const place = typeof state === 'object' && state !== null && 'idx' in state ? state.idx : 0;
  return typeof place === 'number' && place > 0;
}
