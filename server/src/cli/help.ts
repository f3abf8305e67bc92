export const HELP = `tidings: transactional and in-app messages

  npx tidings serve                       run the service (what npm start does)
  npx tidings migrate                     bring the database's schema up to date
  npx tidings keys list                   API keys of a workspace, without the keys themselves
  npx tidings keys create --kind KIND     make a key (secret or public) and show it once; --name NAME
  npx tidings keys revoke KEY_ID          end a key, on every node within 5 s
  npx tidings workspaces list
  npx tidings workspaces create NAME      make a workspace and show its two keys once
  npx tidings workspaces suspend WS_ID    answer 403 to all its keys
  npx tidings workspaces resume WS_ID
  npx tidings doctor                      check database, migrations, clock, providers and encryption key
  npx tidings demo                        play the main job against a running service; --url ADDRESS,
                                          --secret-key KEY --public-key KEY (else it makes keys for the moment)
  npx tidings types                       write TypeScript types for all transactionals, for @tidings/node; --out FILE
                                          (else they are printed), --url ADDRESS, --secret-key KEY
  npx tidings help | --version

keys list, keys create, demo and types take --workspace WS_ID where there is more than one workspace.
demo and types look for the service where HOST and PORT say, unless --url names it.
Everything else is set by environment variables: see docs/config.md.`;
