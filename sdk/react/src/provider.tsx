import { createTidings, type Tidings, type TidingsOptions } from "@tidings/web";
import { createContext, type ReactNode, useContext, useEffect, useMemo, useRef } from "react";
import type { MessageAction } from "./action.ts";
import { ENGLISH, type Labels } from "./labels.ts";
import { useBeforePaint } from "./paint.ts";
import { type Watched, watched } from "./store.ts";

interface Shared {
  onDeepLink?: MessageAction | undefined;
  /** Called when a button with the action `custom` was used. */
  onCustom?: MessageAction | undefined;
  /** Words in place of the English ones. */
  labels?: Partial<Labels> | undefined;
  children?: ReactNode;
}

/** The properties of `TidingsProvider`: a client that you create and end yourself, or the options to create one. */
export type TidingsProviderProps = Shared &
  ({ client: Tidings; options?: undefined } | { client?: undefined; options: TidingsOptions });

/** What the components share. */
export interface ProviderContext {
  client: Tidings;
  labels: Labels;
  actions: { readonly current: Pick<Shared, "onDeepLink" | "onCustom"> };
  /** The mounted components for modals and banners, in order: only the first of each shows a message. */
  places: Record<"modal" | "banner", Watched<object>>;
  /** Modals and banners whose button was used: they stay hidden until the service lists them in another visit. */
  followed: Watched<string>;
}

const Context = createContext<ProviderContext | undefined>(undefined);

/** Provides Tidings to all components inside. */
export function TidingsProvider(props: TidingsProviderProps) {
  const { client: given, options, onDeepLink, onCustom, labels, children } = props;
  const made = useClient(options);
  const client = given ?? made;
  const actions = useRef<ProviderContext["actions"]["current"]>({});
  useEffect(() => {
    actions.current = { onDeepLink, onCustom };
  });
  const lists = useMemo(() => {
    const places = { modal: watched<object>(), banner: watched<object>() };
    return { places, followed: watched<string>() };
  }, []);
  const context = useMemo(() => {
    if (!client) throw new Error("TidingsProvider needs a client or options");
    return { client, labels: { ...ENGLISH, ...labels }, actions, ...lists };
  }, [client, labels, lists]);
  return <Context.Provider value={context}>{children}</Context.Provider>;
}

/** Returns what the provider shares. @throws Error outside of a TidingsProvider, a mistake of the page's author */
export function useProviderContext(): ProviderContext {
  const context = useContext(Context);
  if (!context) throw new Error("This needs a <TidingsProvider> around it");
  return context;
}

/** Returns a client for these options. Another person logs in on the same client; another service or key creates a new one. */
function useClient(options: TidingsOptions | undefined): Tidings | undefined {
  const latest = useRef(options);
  useEffect(() => {
    latest.current = options;
  });
  const { baseUrl, apiKey, pollSeconds, personId, autoStart } = options ?? {};
  const signs = options?.getPersonToken !== undefined;
  const client = useMemo(() => {
    if (baseUrl === undefined || apiKey === undefined) return undefined;
    return createTidings({
      baseUrl,
      apiKey,
      pollSeconds,
      // The person is set in the first render, so that effects of the components inside ask for this person.
      personId: latest.current?.personId,
      // The client starts in an effect: React may throw a render away, which must leave no stream behind.
      autoStart: false,
      ...(signs && { getPersonToken: async () => (await latest.current?.getPersonToken?.()) ?? null }),
      onError: (error) => latest.current?.onError?.(error),
    });
  }, [baseUrl, apiKey, pollSeconds, signs]);
  // This runs before the effects of the components inside, so that they ask for this person.
  useBeforePaint(() => {
    if (personId) client?.login(personId);
    else void client?.logout();
  }, [client, personId]);
  useEffect(() => {
    if (autoStart !== false) client?.start();
    return () => client?.stop();
  }, [client, autoStart]);
  return client;
}
