import { parseArgs } from "node:util";
import { PEOPLE } from "./messages.ts";
import { type Shop, startShop } from "./shop.ts";
import { buildSite } from "./site.ts";
import { answers, runningService, temporaryAccess } from "./tidings.ts";

// `npm run example:shop`: the shop with the service at --url (one is started if none runs), and keys that are revoked at the end.

const { values } = parseArgs({
  options: {
    // The address at which the service listens with this environment, as for `npx tidings demo`.
    url: { type: "string", default: `http://localhost:${process.env.PORT || 4000}` },
    port: { type: "string", default: "5173" },
    workspace: { type: "string" },
  },
});

const undo: (() => Promise<void>)[] = [];
async function close(status: number): Promise<void> {
  // In reverse order: revoking the keys needs the service.
  for (const step of undo.splice(0).reverse()) await step().catch((error: Error) => console.error(error.message));
  process.exit(status);
}
for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(name, () => void close(0));

try {
  const tidings = values.url.replace(/\/+$/, "");
  // Otherwise the keys of a running shop would be taken for those of a killed one.
  if (await answers(`http://localhost:${values.port}`)) throw new Error(`port ${values.port} is in use`);
  const site = await buildSite();
  const service = await runningService(tidings);
  undo.push(service.stop);
  const { revoke, ...access } = await temporaryAccess(tidings, values.port, values.workspace);
  undo.push(revoke);
  const shop: Shop = await startShop({ tidings, ...access, site, port: Number(values.port), people: PEOPLE });
  undo.push(shop.stop);
  console.log(`\nThe shop is open: ${shop.address}\nCtrl-C closes it, and revokes the keys that it made.`);
} catch (error) {
  console.error(`The shop did not open: ${(error as Error).message}`);
  await close(1);
}
