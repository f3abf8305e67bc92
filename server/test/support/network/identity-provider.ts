import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { atEnd } from "../wait.ts";

/** An OIDC provider on this machine, which says of everybody what `claims` has. */
export async function identityProvider() {
  const { privateKey, publicKey } = await generateKeyPair("RS256");
  const jwk = { ...(await exportJWK(publicKey)), kid: "k", alg: "RS256", use: "sig" };
  let claims: Record<string, unknown> = {};
  let nonce = "";
  const server = createServer(async (request, response) => {
    const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const json = (body: object) =>
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
    if (request.url === "/jwks") return json({ keys: [jwk] });
    if (request.url === "/token") {
      const token = new SignJWT({ nonce, ...claims }).setProtectedHeader({ alg: "RS256", kid: "k" }).setIssuer(issuer);
      const id_token = await token
        .setAudience("tidings")
        .setSubject(String(claims.sub))
        .setIssuedAt()
        .setExpirationTime("5m")
        .sign(privateKey);
      return json({ access_token: "x", token_type: "Bearer", id_token });
    }
    json({
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/jwks`,
      response_types_supported: ["code"],
      subject_types_supported: ["public"],
      id_token_signing_alg_values_supported: ["RS256"],
      code_challenge_methods_supported: ["S256"],
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  atEnd(() => server.close());
  return {
    issuer: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    says: (given: Record<string, unknown>, forNonce?: string) => {
      claims = given;
      if (forNonce !== undefined) nonce = forNonce;
    },
  };
}
