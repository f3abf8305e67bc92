import { APIClient, CustomerIORequestError, SendEmailRequest } from "customerio-node";
import { expect } from "vitest";
import { transactionalsService } from "./transactionals.ts";

/** A service that listens, and Customer.io's client of its App API from npm. */
export async function customerioService() {
  const service = await transactionalsService();
  const { it } = service;
  const address = await it.service.listen();
  const client = (base = address, key = it.secretKey) =>
    new APIClient(key, { url: `${base}/compat/customerio/v1`, retry: { minTimeoutMs: 1, maxTimeoutMs: 5 } });
  const api = client();

  const raw = (extra: Record<string, unknown> = {}) =>
    new SendEmailRequest({
      to: "ada@example.test",
      identifiers: { email: "ada@example.test" },
      subject: "Hello",
      body: "<p>World</p>",
      from: "Acme <hello@acme.test>",
      ...extra,
    });
  return { ...service, address, client, api, raw };
}

/** Returns the client's error for a call that the service refuses. */
export async function refused(call: Promise<unknown>): Promise<CustomerIORequestError> {
  const error = await call.then(
    () => undefined,
    (reason) => reason,
  );
  expect(error).toBeInstanceOf(CustomerIORequestError);
  return error as CustomerIORequestError;
}
