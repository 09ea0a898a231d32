import type { WriteTransaction } from '../db/database.ts';
import type { Services } from '../domain/services.ts';
import { actor, demoId } from './script.ts';

/** Saves two views of Lakeside's projects: one that its admin shares, and one of the builder's own. */
export async function saveViews(services: Services, write: WriteTransaction): Promise<void> {
  const organization = demoId('lakeside');
  const admin = await actor(services, write, 'admin');
  await admin.add('savedView', {
    id: demoId('view failed'),
    name: 'Failed builds',
    list: 'all',
    query: 'status=failed',
    isShared: true,
    organization,
  });
  const builder = await actor(services, write, 'builder');
  await builder.add('savedView', {
    id: demoId('view french'),
    name: 'Mine in French',
    list: 'own',
    query: 'language=fr-FR',
    organization,
  });
}
