import { useEffect, useState } from 'react';
import { withoutSlashAtEnd } from '#base/slash.ts';
import { knownConfig } from '#session/public-config.ts';

/** Twice the largest side at which it shows, for screens that have the points. */
const SIDE_PX = 260;

/**
 * The address at which the avatar service that a setting names has a portrait for this email
 * address; null without such a service, or while the address is hidden: its hash would give it
 * away.
 */
export function usePortrait(email: string | null): string | null {
  const service = knownConfig()?.avatars ?? null;
  const wanted = service === null || email === null ? null : email.trim().toLowerCase();
  const [known, setKnown] = useState<{ email: string; hash: string } | null>(null);
  useEffect(() => {
    // Over plain HTTP there are no digests; a picture made here will do.
    if (wanted === null || !('subtle' in crypto)) return undefined;
    let isOver = false;
    void hashOf(wanted).then((hash) => {
      if (!isOver) setKnown({ email: wanted, hash });
    });
    return () => {
      isOver = true;
    };
  }, [wanted]);

  if (service === null || known?.email !== wanted) return null;
  return `${withoutSlashAtEnd(service)}/${known.hash}?s=${SIDE_PX}&d=404`;
}

async function hashOf(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
