import fc from "fast-check";
import { jwtVerify } from "jose";
import { expect, test } from "vitest";
import { signPersonToken } from "./person-token.ts";

const secret = "a-signing-secret";

test("any person and any life of up to a day make a token that a JWT library takes", async () => {
  const property = fc.asyncProperty(
    fc.string({ unit: "grapheme", minLength: 1, maxLength: 256 }),
    fc.integer({ min: 1, max: 86_400 }),
    async (personId, expiresInSeconds) => {
      const currentDate = new Date();
      const token = signPersonToken({ kid: "sig_1", secret, personId, expiresInSeconds });
      const { payload, protectedHeader } = await jwtVerify(token, Buffer.from(secret), {
        algorithms: ["HS256"],
        currentDate,
      });
      expect(protectedHeader).toEqual({ alg: "HS256", typ: "JWT", kid: "sig_1" });
      expect(payload.sub).toBe(personId);
      expect((payload.exp as number) - (payload.iat as number)).toBe(expiresInSeconds);
    },
  );
  await fc.assert(property, { numRuns: 50 });
});

test("addresses that the back end has checked are claims of the token", async () => {
  const token = signPersonToken({ kid: "sig_1", secret, personId: "ada", email: "ada@example.com", phone: undefined });
  const { payload } = await jwtVerify(token, Buffer.from(secret));
  expect(payload).toMatchObject({ sub: "ada", email: "ada@example.com" });
  expect(payload).not.toHaveProperty("phone");
});

test.each([
  [{ personId: "" }],
  [{ kid: "" }],
  [{ secret: "" }],
  [{ expiresInSeconds: 0 }],
  [{ expiresInSeconds: 86_401 }],
  [{ expiresInSeconds: 1.5 }],
  [{ expiresInSeconds: Number.NaN }],
])("%j is refused at once, without repeating a secret", (wrong) => {
  const sign = () => signPersonToken({ kid: "sig_1", secret, personId: "ada", ...wrong });
  expect(sign).toThrow(TypeError);
  expect(sign).not.toThrow(secret);
});
