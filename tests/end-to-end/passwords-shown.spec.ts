import { expect } from '@playwright/test';
import { test } from './demo.ts';
import { builder, PASSWORD, untilLoaded } from './people.ts';

/** Covers the script of the issuer's pages that take a password: `src/password-page.ts`. */

test.describe('[wire 2.4] the page to sign in', () => {
  test.beforeEach(async ({ page }) => {
    await page.goto('/login');
    await page.getByRole('button', { name: 'Sign in' }).click();
  });

  test('shows the password that is typed until the button is pressed again', async ({ page }) => {
    const field = page.getByLabel('Password');
    const button = page.getByRole('button', { name: 'Show password' });
    await field.fill('correct horse');
    await button.click();
    await expect(field).toHaveAttribute('type', 'text');
    await expect(button).toHaveAttribute('aria-pressed', 'true');
    await button.click();
    await expect(field).toHaveAttribute('type', 'password');
  });

  test('is filled in by a click on an account of the demo', async ({ page }) => {
    await page.getByRole('button', { name: builder }).click();
    await expect(page.getByLabel('Email')).toHaveValue(builder);
    await expect(page.getByLabel('Password')).toHaveValue(PASSWORD);
    await page.keyboard.press('Enter');
    await untilLoaded(page);
  });
});
