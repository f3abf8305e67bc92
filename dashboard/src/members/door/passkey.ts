import { call, callSignedIn } from "../../platform/call/call.ts";
import type { Session } from "../session.ts";

interface Options<T> {
  options: T;
}

/** Whether this browser knows passkeys here: they need https, or localhost. */
export const knowsPasskeys = (): boolean =>
  typeof PublicKeyCredential === "function" && "parseRequestOptionsFromJSON" in PublicKeyCredential;

/** The person closed the browser's question, or no passkey of this service is there. */
export class NoPasskey extends Error {}

async function asked(question: Promise<Credential | null>): Promise<unknown> {
  try {
    const credential = await question;
    return (credential as PublicKeyCredential).toJSON();
  } catch (error) {
    throw new NoPasskey((error as Error).message, { cause: error });
  }
}

/** Signs in with a passkey that the browser finds. @throws NoPasskey, Refusal, Unreached */
export async function signInByPasskey(): Promise<Session> {
  const { options } = await call<Options<PublicKeyCredentialRequestOptionsJSON>>("POST", "/session/passkey/options");
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
  const credential = await asked(navigator.credentials.get({ publicKey }));
  return call<Session>("POST", "/session/passkey", { body: { credential } });
}

/** Makes a passkey for the own account. The password is needed in an older session. @throws NoPasskey, Refusal, Unreached */
export async function makePasskey(name: string, password: string): Promise<void> {
  const { options } = await callSignedIn<Options<PublicKeyCredentialCreationOptionsJSON>>("POST", "/passkeys/options", {
    body: password ? { password } : {},
  });
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
  const credential = await asked(navigator.credentials.create({ publicKey }));
  await callSignedIn("POST", "/passkeys", { body: { credential, ...(name && { name }) } });
}
