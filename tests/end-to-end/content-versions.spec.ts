import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';
import { zipOfFiles } from '../support/zips.ts';
import { expectAccessible } from './accessible.ts';
import { begin, content, HTML } from './products.ts';
import { test } from './world.ts';

const FIRST = 'App Builder Configuration';

/** Drags a zip of these files over the page and lets it go there. */
async function drop(page: Page, name: string, bytes: Buffer): Promise<void> {
  const files = await page.evaluateHandle(
    ({ name: called, base64 }) => {
      const data = Uint8Array.from(atob(base64), (each) => each.charCodeAt(0));
      const transfer = new DataTransfer();
      transfer.items.add(new File([data], called, { type: 'application/zip' }));
      return transfer;
    },
    { name, base64: bytes.toString('base64') },
  );
  await page.dispatchEvent('h1', 'dragover', { dataTransfer: files });
  await expect(page.getByText(/^Drop the zip file to upload it to/)).toBeVisible();
  await page.dispatchEvent('h1', 'drop', { dataTransfer: files });
}

test('a file dropped on a project’s page becomes a version that says what changed, and the older one is restored [R117]', async ({
  world,
  team,
  page,
}) => {
  const { project } = await begin(world, team, HTML, { content, state: FIRST });
  await page.goto(`${world.url}/projects/${project.id}`);
  const repository = page.getByRole('region', { name: 'Repository' });
  await expect(repository.getByText('Version 1', { exact: true })).toBeVisible();
  await drop(page, 'second.zip', zipOfFiles({ 'index.md': '# Another\n', 'mill.md': '# Mill\n' }));
  await repository.getByRole('button', { name: 'Upload', exact: true }).click();
  await expect(repository.getByText('Version 2', { exact: true })).toBeVisible();

  await repository.locator('.repository-changes > summary').first().click();
  await expect(
    repository.getByRole('region', { name: 'What changed in version 2' }).getByText('mill.md'),
  ).toBeVisible();
  await expectAccessible(page, 'the files that changed with a version');

  await repository.getByText('1 older version').click();
  await repository.getByRole('button', { name: 'Restore version 1' }).click();
  const dialog = page.getByRole('dialog', { name: 'Restore version 1?' });
  await expect(dialog.getByRole('listitem').filter({ hasText: 'mill.md' })).toBeVisible();
  await expectAccessible(page, 'the question before a version is restored');
  await dialog.getByRole('button', { name: 'Restore' }).click();
  await expect(repository.getByText('Restored from version 1')).toBeVisible();
  await expect(repository.getByText('Version 3', { exact: true })).toBeVisible();

  await page.goto(`${world.url}/projects/${project.id}/activity`);
  await expect(page.getByText(/restored version 1/).first()).toBeVisible();
});
