/** On download pages that everybody sees: the script for members, where somebody is signed in. */
if (Object.keys(localStorage).some((key) => key.startsWith('oidc.user:'))) {
  const script = document.createElement('script');
  script.src = '/download-page.js';
  document.head.append(script);
}
