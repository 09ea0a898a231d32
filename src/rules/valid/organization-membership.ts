import { broken } from './broken.ts';
import type { RecordRules } from './form.ts';

/** A person agrees to a membership once, and then leaves or stays (domain 2.8). */
export const brokenMembership: RecordRules<'organizationMembership'> = ({
  before,
  after,
  written,
}) => {
  if (before === null || !written.includes('dateAccepted')) return [];
  const isFirst = before.dateAccepted === null && after.dateAccepted !== null;
  return [isFirst ? null : broken('dateAccepted', 'range')];
};
