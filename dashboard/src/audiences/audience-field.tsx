import type { Filter } from "@tidings/contract/audience/audiences";
import { Input, SegmentedControl } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useId, useState } from "react";
import { useRead } from "../platform/call/queries.ts";
import { useWorkspace } from "../platform/call/workspace.ts";
import { useTexts } from "../platform/language/texts.ts";
import css from "./audiences.module.css";
import { pointedErrors } from "./builder/errors.ts";
import { PickField } from "./builder/fields/pick-field.tsx";
import { FilterBuilder } from "./builder/filter-builder.tsx";
import { texts } from "./field-texts.ts";
import { LiveCount } from "./live-count.tsx";
import { useCount } from "./use-count.ts";

interface Chosen {
  audience_id?: string | undefined;
  audience?: Filter | undefined;
}
interface AudienceFieldProps {
  label: string;
  description?: string;
  value: Chosen;
  /** Gets one of the two, or neither. */
  onChange: (value: Chosen) => void;
  error?: string | undefined;
  /** The message at a pointer into the own filter, such as "/all/0/value". */
  errorOf?: ((pointer: string) => string | undefined) | undefined;
  /** Whether conditions can be given without saving them as an audience. */
  own?: boolean;
  /** Whether only lists can be chosen. */
  lists?: boolean;
}
const FILTERS_TOO = [{ path: "/audiences" }] as const;
const LISTS = [{ path: "/audiences?kind=list" }] as const;

/** A saved audience, or conditions of its own, with the number of people. */
export function AudienceField(props: AudienceFieldProps) {
  const { label, description, value, onChange, error, errorOf, own = true, lists = false } = props;
  const t = useTexts(texts);
  const [mode, setMode] = useState<"saved" | "own">();
  const id = useId();
  const isOwn = own && (value.audience ? "own" : value.audience_id ? "saved" : (mode ?? "saved")) === "own";
  const filter: Filter | null = isOwn
    ? (value.audience ?? null)
    : value.audience_id
      ? { audience: value.audience_id }
      : null;
  const counted = useCount(filter);
  const pointed = pointedErrors(counted.error, "/filter");
  return (
    <Input.Wrapper label={label} description={description} error={error} labelElement="div" id={id}>
      <fieldset className={css.chosen} aria-label={label}>
        {own && (
          <SegmentedControl
            size="xs"
            aria-label={t("mode")}
            value={isOwn ? "own" : "saved"}
            onChange={(next) => {
              setMode(next as "saved" | "own");
              onChange(next === "own" && value.audience_id ? { audience: { audience: value.audience_id } } : {});
            }}
            data={[
              { value: "saved", label: t("saved") },
              { value: "own", label: t("own") },
            ]}
          />
        )}
        {isOwn ? (
          <FilterBuilder
            value={value.audience ?? null}
            onChange={(audience) => onChange({ audience })}
            errorOf={(pointer) => errorOf?.(pointer) ?? pointed(pointer)}
          />
        ) : (
          <span className={css.saved}>
            <PickField
              label={label}
              lists={lists ? LISTS : FILTERS_TOO}
              value={value.audience_id}
              onChange={(audience) => onChange(audience ? { audience_id: audience } : {})}
            />
            {value.audience_id && <OpenLink id={value.audience_id} />}
          </span>
        )}
        {filter && <LiveCount of={counted} />}
      </fieldset>
    </Input.Wrapper>
  );
}

/** The way to the saved audience, once it is known to be there. */
function OpenLink({ id }: { id: string }) {
  const t = useTexts(texts);
  const { id: workspace } = useWorkspace();
  const read = useRead<{ name: string }>(`/audiences/${id}`);
  if (!read.data) return null;
  return (
    <Link to="/w/$workspace/$kind/$id" params={{ workspace, kind: "audiences", id }}>
      {t("open")}
    </Link>
  );
}
