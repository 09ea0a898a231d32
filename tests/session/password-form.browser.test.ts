import { expect } from 'chai';
import { improvePasswordForm } from '#session/password-form.ts';

const PAGE = `<form><input name="email" type="email" />
    <div><input name="password" type="password" />
      <button type="button" data-shows="password" aria-pressed="false" hidden>Show</button></div>
    <button type="submit">Sign in</button></form>
  <button type="button" data-email="ana@demo.test" data-password="told" disabled>Ana</button>`;

describe('a page that takes a password', () => {
  let page: HTMLElement;
  const part = (selector: string) => {
    const found = page.querySelector<HTMLElement>(selector);
    if (found === null) throw new Error(`The page has no ${selector}`);
    return found;
  };
  const button = () => part('[data-shows]');
  const field = (name: string) => part(`[name="${name}"]`) as HTMLInputElement;
  beforeEach(() => {
    page = document.createElement('main');
    page.innerHTML = PAGE;
    document.body.append(page);
    improvePasswordForm(page);
  });
  afterEach(() => {
    page.remove();
  });

  it('shows what was typed and masks it again, and says which of the two', () => {
    expect(button().hidden).to.equal(false);
    button().click();
    expect(field('password').type).to.equal('text');
    expect(button().getAttribute('aria-pressed')).to.equal('true');
    button().click();
    expect(field('password').type).to.equal('password');
    expect(button().getAttribute('aria-pressed')).to.equal('false');
  });

  it('masks the password as it is sent, so that browsers offer to keep it', () => {
    button().click();
    const sent = new SubmitEvent('submit', { cancelable: true });
    part('form').dispatchEvent(sent);
    expect(field('password').type).to.equal('password');
  });

  it('is filled in by a click on an account of the demo, and the next key signs in', () => {
    part('[data-email]').click();
    expect(field('email').value).to.equal('ana@demo.test');
    expect(field('password').value).to.equal('told');
    expect(document.activeElement).to.equal(part('[type="submit"]'));
  });

  it('leaves other pages as they are', () => {
    const other = document.createElement('main');
    other.innerHTML = '<form><button data-shows="password" hidden></button></form>';
    improvePasswordForm(other);
    expect(other.querySelector('button')?.hidden).to.equal(true);
  });
});
