/**
 * Shows the buttons at the password fields of `page`, and has each show what was typed or mask it
 * again. Where the page lists accounts of a demo, a click on one fills in the form.
 */
export function improvePasswordForm(page: ParentNode): void {
  for (const button of page.querySelectorAll<HTMLButtonElement>('button[data-shows]'))
    offerToShow(button);
  for (const button of page.querySelectorAll<HTMLButtonElement>('button[data-email]'))
    offerToFillIn(button, page);
}

function offerToShow(button: HTMLButtonElement): void {
  const field = fieldIn(button.form, button.dataset.shows);
  if (field === null) return;
  const show = (isShown: boolean) => {
    field.type = isShown ? 'text' : 'password';
    button.ariaPressed = String(isShown);
  };
  button.addEventListener('click', () => {
    show(field.type === 'password');
  });
  // Browsers offer to keep a password that was sent from a masked field.
  field.form?.addEventListener('submit', () => {
    show(false);
  });
  button.hidden = false;
}

function offerToFillIn(button: HTMLButtonElement, page: ParentNode): void {
  const { email = '', password = '' } = button.dataset;
  const form = page.querySelector<HTMLFormElement>('form:has([name="email"])');
  const [emailField, passwordField] = ['email', 'password'].map((name) => fieldIn(form, name));
  if (!emailField || !passwordField) return;
  button.addEventListener('click', () => {
    emailField.value = email;
    passwordField.value = password;
    form?.querySelector<HTMLButtonElement>('[type="submit"]')?.focus();
  });
  button.disabled = false;
}

function fieldIn(form: HTMLFormElement | null, name = ''): HTMLInputElement | null {
  return form?.querySelector<HTMLInputElement>(`input[name="${name}"]`) ?? null;
}
