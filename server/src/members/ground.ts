import type { Ground } from "../platform/ground.ts";
import { type PasswordCost, type Passwords, passwordsOf } from "./proof/password.ts";
import { type Attempts, attemptsOf } from "./session/attempts.ts";
import { type Sessions, sessionsOn } from "./session/sessions.ts";

/** An email to a member: a few lines of text. */
export interface Letter {
  to: string;
  subject: string;
  text: string;
}

/** What the routes of members share in a process. The roof adds the fields. */
export interface MembersGround extends Ground {
  members: { sessions: Sessions; attempts: Attempts; passwords: Passwords };
  letters: {
    /** Whether the workspace has an email provider that leaves this machine, and a sender. */
    can(workspaceId: string): Promise<boolean>;
    /** Mails through the workspace's own provider. Returns false if no provider took it. */
    send(workspaceId: string, letter: Letter): Promise<boolean>;
  };
}

/** Creates what the routes of members share. */
export const membersOn = (ground: Ground & { passwordCost: PasswordCost }): MembersGround["members"] => ({
  sessions: sessionsOn(ground),
  attempts: attemptsOf(ground),
  passwords: passwordsOf(ground.passwordCost, ground.shares.passwords),
});
