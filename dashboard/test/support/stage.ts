import type { Role } from "@tidings/contract/members";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { onTestFinished, test as always } from "vitest";
import { executablePath, useChromium } from "../../../sdk/web/test/support/chromium.ts";
import { setupLink } from "../../../server/src/members/index.ts";
import { encodeId } from "../../../server/src/platform/ids.ts";
import { browserOf } from "../../../server/test/support/browser.ts";
import { type TestService, type TestServiceOptions, testService } from "../../../server/test/support/service.ts";
import { until } from "../../../server/test/support/wait.ts";
import { type Look, useDashboard, visitor, type Watched, watchedWindow } from "./dashboard.ts";
import type { Send } from "./sample.ts";

/** Skipped where there is no Chromium, which chromium.ts says aloud. */
export const test = always.skipIf(!executablePath);

export const PASSWORD = "correct horse battery";
const emailOf = (role: Role): string => `${role}@northwind.example`;
type Member = ReturnType<typeof browserOf>;

export interface Stage {
  it: TestService;
  address: string;
  /** The id of the workspace, as in addresses. */
  workspace: string;
  /** Calls the service with the workspace's secret key. @throws if it refuses */
  send: Send;
  /** A member's browser without pages: for calls of the product API with the session of this role. */
  members: Record<Role, Member>;
  /** Opens a window in which a member with this role is signed in. It remembers nothing of earlier tests, and its pages close with the test. */
  signedIn(role: Role, look?: Look): Promise<BrowserContext>;
  /** Opens a window with a session of its own, which the test may end, and returns the member, too. */
  signedInAlone(role: Role, look?: Look): Promise<{ window: BrowserContext; member: Member }>;
  /** Opens a page of the workspace in such a window, such as "people/user-1", and waits until it shows what it has to show. */
  open(role: Role, path: string, look?: Look): Promise<Page>;
  /** Opens another page of the workspace in the same window. */
  visit(page: Page, path: string): Promise<void>;
  /** The same as a link does it, without loading the dashboard again: a quarter of the time. What is not saved in the page is lost. */
  follow(page: Page, path: string): Promise<void>;
}

declare global {
  // Set by TanStack Router.
  var __TSR_ROUTER__: { navigate(to: { href: string; ignoreBlocker: boolean }): Promise<void> };
}

/**
 * The windows of a test file. A test takes one that an earlier test left, with the scripts that it loaded: a page in a fresh window takes 0.35 s
 * of CPU more. A test that takes two of a kind gets two.
 */
class Windows {
  readonly #chromium: { browser: Browser };
  readonly #free = new Map<string, Watched[]>();

  constructor(chromium: { browser: Browser }) {
    this.#chromium = chromium;
  }

  async take(role: Role, look: Look = {}): Promise<BrowserContext> {
    const kind = JSON.stringify([role, look]);
    const free = this.#free.get(kind) ?? [];
    this.#free.set(kind, free);
    const watched = free.pop() ?? (await watchedWindow(this.#chromium.browser, look));
    onTestFinished(async () => {
      await watched.assertQuiet().finally(() => emptied(watched.window));
      free.push(watched);
    });
    return watched.window;
  }
}

/** Closes the pages of a window, and forgets what they stored. */
async function emptied(window: BrowserContext): Promise<void> {
  const [first, ...others] = window.pages();
  // An empty page has no storage, and refuses to be asked for it.
  await first?.evaluate(() => location.protocol === "http:" && localStorage.clear());
  for (const page of others) await page.close();
  await first?.close();
}

/** One service with a member of each role, and one browser, for the whole test file. */
export async function dashboardStage(options: TestServiceOptions = {}): Promise<Stage> {
  const chromium = useChromium();
  useDashboard();
  const env = { ALLOW_PRIVATE_NETWORK: "true", ...options.env };
  const it = await testService({ roles: "api,worker", ...options, env });
  const address = await it.service.listen();
  const workspace = encodeId("ws", it.workspaceId);
  const members = await membersOf(it, workspace);

  const visit = async (page: Page, path: string) => {
    await page.goto(`${address}/w/${workspace}/${path}`);
    await settled(page);
  };
  const signIn = (window: BrowserContext, { cookies }: Member) =>
    window.addCookies([...cookies].map(([name, value]) => ({ name, value, url: address })));
  const windows = new Windows(chromium);
  const signedIn = async (role: Role, look?: Look) => {
    const window = await windows.take(role, look);
    await signIn(window, members[role]);
    return window;
  };
  return {
    it,
    address,
    workspace,
    members,
    visit,
    async follow(page, path) {
      const href = `/w/${workspace}/${path}`;
      if (page.url() === "about:blank") return visit(page, path);
      await page.evaluate((to) => __TSR_ROUTER__.navigate({ href: to, ignoreBlocker: true }), href);
      await page.waitForURL((url) => url.href === address + href || url.pathname === href);
      await settled(page);
    },
    signedIn,
    async signedInAlone(role, look) {
      const member = browserOf(it);
      await taken(member.post("/session", { email: emailOf(role), password: PASSWORD }));
      const window = await visitor(chromium.browser, look);
      await signIn(window, member);
      return { member, window };
    },
    async send(method, path, body) {
      // A loaded machine's service asks to repeat a call.
      const answer = await until(async () => {
        const once = await it.call(method, path, { body });
        return once.status === 503 ? undefined : once;
      }, `an answer of ${path}`);
      if (answer.status >= 400) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`);
      return answer.body;
    },
    async open(role, path, look) {
      const page = await (await signedIn(role, look)).newPage();
      await visit(page, path);
      return page;
    },
  };
}

/** Makes the owner as the first visit does, and the others by invitation. */
async function membersOf(it: TestService, workspace: string): Promise<Record<Role, Member>> {
  const link = await setupLink(it.service.ground.db, "http://localhost", new Date());
  const tokenOf = (address: string | undefined) => address?.split("#token=")[1] ?? "";
  const owner = browserOf(it);
  const account = { email: emailOf("owner"), password: PASSWORD, name: "Ada Lovelace" };
  await taken(owner.post("/setup", { ...account, token: tokenOf(link) }));
  const invited = async (role: Role, name: string) => {
    const { invite_url } = await taken(
      owner.inWorkspace(workspace, "POST", "/members", { email: emailOf(role), role }),
    );
    const member = browserOf(it);
    await taken(member.post("/invitations/accept", { token: tokenOf(invite_url), password: PASSWORD, name }));
    return member;
  };
  return {
    owner,
    editor: await invited("editor", "Grace Hopper"),
    viewer: await invited("viewer", "Alan Turing"),
  };
}

async function taken(asked: ReturnType<TestService["call"]>) {
  const { status, body } = await asked;
  if (status >= 400) throw new Error(JSON.stringify(body));
  return body;
}

/**
 * Waits until the open page of a workspace has its title and waits for no answer, nor a button of it. The sign-in, for one, has no such content.
 * What is hidden does not count: a closed tab reads only when it is opened.
 */
export async function settled(page: Page): Promise<void> {
  await page.waitForFunction(
    () =>
      document.querySelector("#content h1") !== null &&
      [...document.querySelectorAll("#content [aria-busy=true], .mantine-Loader-root")].every(
        (one) => !one.checkVisibility(),
      ),
  );
}
