import { createTidings, type Tidings, type TidingsOptions } from "@tidings/web";
import { createContext, type ReactNode, useContext, useEffect, useMemo, useRef } from "react";
import type { MessageAction } from "./action.ts";
import { ENGLISH, type Labels } from "./labels.ts";
import { useBeforePaint } from "./paint.ts";
import { type Watched, watched } from "./store.ts";

interface Shared {
  onDeepLink?: MessageAction | undefined;
  /** A button with the action `custom` was used. */
  onCustom?: MessageAction | undefined;
  /** Other words than English ones. */
  labels?: Partial<Labels> | undefined;
  children?: ReactNode;
}

/** A client that you made and end yourself, or the options to make one. */
export type TidingsProviderProps = Shared &
  ({ client: Tidings; options?: undefined } | { client?: undefined; options: TidingsOptions });

/** What the components share. */
export interface Around {
  client: Tidings;
  labels: Labels;
  actions: { readonly current: Pick<Shared, "onDeepLink" | "onCustom"> };
  /** The places for modals and banners on the page, first come first: one of each is displayed at a time. */
  places: Record<"modal" | "banner", Watched<object>>;
  /** Modals and banners whose button was used: they stay away until the service gives them for another visit. */
  followed: Watched<string>;
}

const Context = createContext<Around | undefined>(undefined);

/** Gives Tidings to everything inside. */
export function TidingsProvider(props: TidingsProviderProps) {
  const { client: given, options, onDeepLink, onCustom, labels, children } = props;
  const made = useClient(options);
  const client = given ?? made;
  const actions = useRef<Around["actions"]["current"]>({});
  useEffect(() => {
    actions.current = { onDeepLink, onCustom };
  });
  const lists = useMemo(() => {
    const places = { modal: watched<object>(), banner: watched<object>() };
    return { places, followed: watched<string>() };
  }, []);
  const around = useMemo(() => {
    if (!client) throw new Error("TidingsProvider needs a client or options");
    return { client, labels: { ...ENGLISH, ...labels }, actions, ...lists };
  }, [client, labels, lists]);
  return <Context.Provider value={around}>{children}</Context.Provider>;
}

/** @throws where no TidingsProvider is around, which is a mistake of the page's author. */
export function useAround(): Around {
  const around = useContext(Context);
  if (!around) throw new Error("This needs a <TidingsProvider> around it");
  return around;
}

/** A client for these options. Another person logs in on it; another service or key makes another one. */
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
      // Known from the first render on: what the components inside ask for in their effects is asked for this person.
      personId: latest.current?.personId,
      // Begun in an effect: a render may be thrown away, and must leave no stream behind.
      autoStart: false,
      ...(signs && { getPersonToken: async () => (await latest.current?.getPersonToken?.()) ?? null }),
      onError: (error) => latest.current?.onError?.(error),
    });
  }, [baseUrl, apiKey, pollSeconds, signs]);
  // Before the effects of the components inside: what they ask for, they ask for this person.
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
