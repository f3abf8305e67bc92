/** The routes whose calls leave no entry in the log of changes, with the reason. */
export const NONE: Record<string, string> = {
  "POST /audiences/preview": "it changes nothing",
  "POST /transactionals/draft-preview": "it changes nothing",
  "POST /transactionals/{id}/preview": "it changes nothing",
  "POST /in-app-messages/{id}/preview": "it changes nothing",
  "POST /in-app-messages/preview-draft": "it changes nothing",
  "POST /email-templates/{id}/preview": "it changes nothing",
  "POST /email-templates/preview-texts": "it changes nothing",
  "POST /broadcasts/{id}/preflight": "it changes nothing",
  "POST /broadcasts/{id}/preview": "it changes nothing",
  "POST /campaigns/{id}/validate": "it changes nothing",
  "POST /campaigns/{id}/simulate": "it changes nothing",
  "POST /campaigns/{id}/preflight": "it changes nothing",
  "POST /campaigns/{id}/replay": "it changes nothing",
  "POST /providers/{id}/test": "a test",
  "POST /webhooks/{id}/test": "a test",
  "POST /export-destinations/{id}/test": "a test",
  "POST /in-app-messages/{id}/test-sends": "a test; it is a delivery with the source test",
  "POST /email-templates/{id}/test-sends": "a test; it is a delivery with the source test",
  "POST /transactionals/{id}/send": "a trigger call; it is a delivery",
  "POST /broadcasts/{id}/test-sends": "a test; it is a delivery with the source test",
  "POST /campaigns/{id}/runs": "a person's run, which their log shows",
  "POST /campaigns/{id}/runs/cancel": "runs of people",
  "POST /campaigns/{id}/runs/move": "runs of people, with a history of their own",
  "POST /campaigns/{id}/runs/skip": "runs of people, with a history of their own",
  "POST /campaigns/{id}/runs/retry": "runs of people, with a history of their own",
  "POST /campaigns/{id}/runs/end": "runs of people, with a history of their own",
  "POST /campaigns/{id}/runs/{run_id}/move": "runs of people, with a history of their own",
  "POST /campaigns/{id}/runs/{run_id}/skip": "runs of people, with a history of their own",
  "POST /campaigns/{id}/runs/{run_id}/retry": "runs of people, with a history of their own",
  "POST /campaigns/{id}/runs/{run_id}/end": "runs of people, with a history of their own",
  "PATCH /people/{person_id}/subscriptions": "a fact about a person, which their log shows",
  "PUT /audiences/{id}/members/{person_id}": "a fact about a person, as ingestion reports many",
  "DELETE /audiences/{id}/members/{person_id}": "a fact about a person, as ingestion reports many",
};

/** Whether a route is one of somebody who signs in, for their own account. They take no key; members.test.ts shows what they leave in the log. */
const isOwn = ({ security = [] }: { security?: object[] }): boolean => !security.some((way) => "bearer" in way);

/** Returns the routes of the product API that change what is a workspace's, from the paths of /openapi.json. */
export const changing = (paths: Record<string, object>): string[] =>
  Object.entries(paths)
    .filter(([path]) => path.startsWith("/api/v1/"))
    .flatMap(([path, methods]) =>
      Object.entries(methods)
        .filter(([method, operation]) => method !== "get" && !isOwn(operation))
        .map(([method]) => `${method.toUpperCase()} ${path.slice(7)}`),
    );
