import type { Actor } from "@tidings/contract/audit";
import { useEffect, useRef, useState } from "react";
import type { Read } from "../call/call.ts";
import { keepVersion } from "../call/queries.ts";
import { isRefusal } from "../call/refusal.ts";
import { mayEdit, useWorkspace } from "../call/workspace.ts";
import { type Form, useForm } from "./form.ts";
import { differing, merged, type Values } from "./merge.ts";
import type { FieldOf } from "./refusals.ts";

/** Somebody else changed the resource while this form was open. */
export interface Meanwhile<V extends Values> {
  by: Actor | null;
  at: string | null;
  /** The fields of the form that they changed. */
  fields: (keyof V & string)[];
  theirs: V;
  /** The fields that were typed here. */
  typed: (keyof V & string)[];
}

export interface Edit<V extends Values> extends Form<V> {
  meanwhile: Meanwhile<V> | undefined;
  /** Saves what was typed here, over the newer version. Fields that were not touched here stay as they are there. */
  keepMine(): void;
  takeTheirs(): void;
  /** Goes back to what was read. */
  discard(): void;
}

interface ChangedMeanwhile {
  changed_by?: Actor | null;
  changed_at?: string | null;
}

interface Editing<T, V extends Values> {
  path: string;
  method?: "PATCH" | "PUT";
  /** What was read, by `useVersion`. */
  version: Read<T>;
  valuesOf: (resource: T) => V;
  /** The body of the change: of the fields that were typed, the names. `resource` is the version that it starts from. */
  bodyOf: (values: V, typed: (keyof V & string)[], resource: T) => unknown;
  onSaved?: (resource: T) => void;
  /** Where the names of the fields are no pointers into the body. */
  fieldOf?: FieldOf;
}

/** So often a change is repeated over versions that differ in nothing that the form shows. */
const REPEATS = 5;

/**
 * The state of a form that changes a resource of the workspace. The change names the version that was read. If somebody was faster, the
 * form keeps what was typed and says what they changed (`Meanwhile`). A version that is read later is taken while nothing is typed.
 */
export function useEdit<T, V extends Values>(editing: Editing<T, V>): Edit<V> {
  const { path, method = "PATCH", version, valuesOf, bodyOf, onSaved, fieldOf } = editing;
  const open = useWorkspace();
  const { id, call } = open;
  /** The version that the form starts from, and the one that was read last. */
  const base = useRef(version);
  const seen = useRef(version);
  const [newer, setNewer] = useState<{ version: Read<T>; by: Actor | null; at: string | null }>();

  const change = async (values: V): Promise<Read<T>> => {
    const { body: resource, etag } = base.current;
    const body = bodyOf(values, differing(valuesOf(resource), values), resource);
    return call<T>(method, path, { body, headers: etag ? { "if-match": etag } : {} });
  };
  const form = useForm(
    valuesOf(version.body),
    async (values) => {
      // Enter in a field that only seeks or previews submits the form around it, also for those who may not change it.
      if (!mayEdit(open)) return;
      for (let repeats = 0; ; repeats++) {
        try {
          base.current = await change(values);
          break;
        } catch (error) {
          if (!isRefusal(error, "changed_meanwhile")) throw error;
          const { changed_by: by = null, changed_at: at = null } = error.body as ChangedMeanwhile;
          const found = await call<T>("GET", path);
          const shown = differing(valuesOf(base.current.body), valuesOf(found.body));
          if (shown.length > 0 || repeats === REPEATS) {
            setNewer({ version: found, by, at });
            throw error;
          }
          base.current = found;
        }
      }
      setNewer(undefined);
      keepVersion(id, path, base.current);
      form.keep(valuesOf(base.current.body), values);
      onSaved?.(base.current.body);
    },
    fieldOf,
  );

  const { dirty, busy, reset } = form;
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new version is a reason
  useEffect(() => {
    if (dirty || busy || version === seen.current) return;
    seen.current = version;
    base.current = version;
    reset(valuesOf(version.body));
  }, [version, dirty, busy]);

  const start = (from: Read<T>, values: V) => {
    base.current = from;
    setNewer(undefined);
    reset(valuesOf(from.body), values);
  };
  const theirs = newer && valuesOf(newer.version.body);
  return {
    ...form,
    meanwhile: newer && theirs && meanwhileOf(newer, valuesOf(base.current.body), form.values, theirs),
    keepMine() {
      if (!newer || !theirs) return;
      const mine = merged(valuesOf(base.current.body), form.values, theirs);
      start(newer.version, mine);
      void form.submit(mine);
    },
    takeTheirs: () => newer && theirs && start(newer.version, theirs),
    discard: () => start(base.current, valuesOf(base.current.body)),
  };
}

const meanwhileOf = <V extends Values>(
  { by, at }: Pick<Meanwhile<V>, "by" | "at">,
  was: V,
  mine: V,
  theirs: V,
): Meanwhile<V> => ({ by, at, theirs, fields: differing(was, theirs), typed: differing(was, mine) });
