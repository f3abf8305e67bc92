import { createStore } from "../store.ts";

/** The long lists, by their query's hash, of which newer rows exist than those that are shown. */
const lists = createStore<ReadonlySet<string>>(new Set());

export const behind = {
  subscribe: lists.subscribe,
  has: (hash: string) => lists.get().has(hash),
  add(hash: string) {
    if (!lists.get().has(hash)) lists.set(new Set([...lists.get(), hash]));
  },
  remove(hash: string) {
    if (lists.get().has(hash)) lists.set(new Set([...lists.get()].filter((one) => one !== hash)));
  },
};
