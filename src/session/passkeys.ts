/**
 * The buttons of the issuer's pages that ask the browser for a passkey. Bytes are turned into base64url
 * here: the browser's own `toJSON` and `parseCreationOptionsFromJSON` are not everywhere, and some
 * password managers answer without them.
 */
export interface PasskeyPage {
  readonly document: Document;
  /** Undefined where the browser knows no passkeys. */
  readonly credentials: Pick<CredentialsContainer, 'create' | 'get'> | undefined;
}

/** Shows the buttons that the page has for passkeys, and has each of them do what it says. */
export function offerPasskeys({ document, credentials }: PasskeyPage): void {
  if (credentials === undefined) return;
  for (const part of document.querySelectorAll<HTMLElement>('[data-passkey]'))
    offer(part, credentials);
  for (const part of document.querySelectorAll<HTMLElement>('[data-without-passkeys]'))
    part.hidden = true;
}

function offer(part: HTMLElement, credentials: PasskeyPage['credentials'] & object): void {
  const { passkey, options = '{}', failed = '', exists } = part.dataset;
  const form = part.closest('form');
  const button = part.querySelector('button');
  const error = part.querySelector<HTMLElement>('[role="alert"]');
  const name = passkey === 'create' ? 'new_passkey' : 'passkey';
  const answer = form?.querySelector<HTMLInputElement>(`input[name="${name}"]`);
  if (!form || !button || !error || !answer) return;
  part.hidden = false;

  let isAsking = false;
  const ask = async () => {
    if (isAsking) return;
    isAsking = true;
    error.hidden = true;
    try {
      const asked = JSON.parse(options) as AskedOptions;
      const given =
        passkey === 'create'
          ? await credentials.create({ publicKey: creationOptions(asked) })
          : await credentials.get({ publicKey: requestOptions(asked) });
      answer.value = JSON.stringify(answerOf(given as PublicKeyCredential));
      form.submit();
    } catch (cause) {
      const isThere = cause instanceof DOMException && cause.name === 'InvalidStateError';
      error.textContent = isThere ? (exists ?? failed) : failed;
      error.hidden = false;
    } finally {
      isAsking = false;
    }
  };
  button.addEventListener('click', () => void ask());
}

interface Described {
  readonly id: string;
  readonly type: 'public-key';
  readonly transports?: AuthenticatorTransport[];
}

/** The options as the server sends them: what the browser takes, with base64url in place of bytes. */
interface AskedOptions {
  readonly challenge: string;
  readonly user: { readonly id: string; readonly name: string; readonly displayName: string };
  readonly allowCredentials?: readonly Described[];
  readonly excludeCredentials?: readonly Described[];
}

function creationOptions(asked: AskedOptions): PublicKeyCredentialCreationOptions {
  return {
    ...(asked as unknown as PublicKeyCredentialCreationOptions),
    challenge: bytesOf(asked.challenge),
    user: { ...asked.user, id: bytesOf(asked.user.id) },
    excludeCredentials: (asked.excludeCredentials ?? []).map(described),
  };
}

function requestOptions(asked: AskedOptions): PublicKeyCredentialRequestOptions {
  return {
    ...(asked as unknown as PublicKeyCredentialRequestOptions),
    challenge: bytesOf(asked.challenge),
    allowCredentials: (asked.allowCredentials ?? []).map(described),
  };
}

function described({ id, ...rest }: Described): PublicKeyCredentialDescriptor {
  return { ...rest, id: bytesOf(id) };
}

/** What an authenticator answers: of a new passkey an attestation, else a signature. */
type AuthenticatorAnswer = Partial<
  AuthenticatorAttestationResponse & AuthenticatorAssertionResponse
>;

/** Returns the credential as the server reads it. */
function answerOf({ id, rawId, type, response, authenticatorAttachment }: PublicKeyCredential) {
  const { clientDataJSON } = response;
  const answer = response as AuthenticatorAnswer;
  return {
    id,
    rawId: textOf(rawId),
    type,
    authenticatorAttachment,
    clientExtensionResults: {},
    response: {
      clientDataJSON: textOf(clientDataJSON),
      attestationObject: textIfAny(answer.attestationObject),
      authenticatorData: textIfAny(answer.authenticatorData),
      signature: textIfAny(answer.signature),
      userHandle: textIfAny(answer.userHandle),
      transports: answer.getTransports?.(),
    },
  };
}

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  const plain = atob(text.replace(/-/g, '+').replace(/_/g, '/'));
  return Uint8Array.from(plain, (letter) => letter.charCodeAt(0));
}

function textOf(bytes: ArrayBuffer): string {
  const plain = String.fromCharCode(...new Uint8Array(bytes));
  return btoa(plain).replace(/\+/g, '-').replace(/\//g, '_').replace(/=/g, '');
}

function textIfAny(bytes: ArrayBuffer | null | undefined): string | undefined {
  return bytes ? textOf(bytes) : undefined;
}
