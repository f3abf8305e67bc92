import { createService } from "../../server/src/main.ts";
import { readConfig } from "../../server/src/platform/config.ts";
import { answerMemory } from "./memory.ts";

// The service under test: one process on a database that is migrated and has its workspace. Configured like any other,
// by the environment.
const config = readConfig();
if (!config.databaseUrl || !config.encryptionKey) throw new Error("DATABASE_URL and ENCRYPTION_KEY are needed");
const service = await createService(config, { databaseUrl: config.databaseUrl, encryptionKey: config.encryptionKey });
const address = await service.listen();
process.once("SIGTERM", () => service.stop().then(() => process.exit(0)));
answerMemory();
process.send?.({ port: Number(new URL(address).port) });
