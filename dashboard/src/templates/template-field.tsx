import { Combobox, TextInput, useCombobox } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { Link } from "@tanstack/react-router";
import { useEffect, useId, useState } from "react";
import { useRead } from "../platform/call/queries.ts";
import { useWorkspace } from "../platform/call/workspace.ts";
import { useTexts } from "../platform/language/texts.ts";
import { Icon } from "../platform/look/icons.tsx";
import { Lines } from "../platform/look/parts.tsx";
import type { Template, TemplateRow } from "./template.ts";
import css from "./templates.module.css";
import { texts } from "./texts.ts";

interface TemplateFieldProps {
  label: string;
  /** An id; empty where none is chosen. */
  value: string;
  onChange: (id: string) => void;
  error?: string | undefined;
  /** Names the field for the errors of a form. */
  name?: string;
  disabled?: boolean;
  /** Whether links lead to the template and to a new one. They open beside this page, which may have unsaved texts. */
  links?: boolean;
}

/** How long nothing must be typed before templates are searched. */
const PAUSE_MS = 200;
const OFFERED = 8;

/** Chooses an email template by a part of its name or subject. */
export function TemplateField(props: TemplateFieldProps) {
  const { label, value, onChange, error, name, disabled = false, links = true } = props;
  const t = useTexts(texts);
  const chosen = useRead<Template>(`/email-templates/${value}`, {}, { enabled: value !== "" });
  const [typed, setTyped] = useState<string>();
  // What was typed ends with each choice.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another choice is a reason
  useEffect(() => setTyped(undefined), [value]);
  const [sought] = useDebouncedValue(typed?.trim() ?? "", PAUSE_MS);
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() });
  const found = useRead<{ data: TemplateRow[] }>(
    "/email-templates",
    { limit: OFFERED, ...(sought && { q: sought }) },
    { enabled: combobox.dropdownOpened, keep: true },
  );
  const rows = found.data?.data ?? [];
  const choose = (id: string) => {
    setTyped(undefined);
    combobox.closeDropdown();
    onChange(id);
  };
  const unknown = chosen.isError ? t("unknown") : undefined;
  return (
    <div>
      <Combobox store={combobox} onOptionSubmit={choose} withinPortal disabled={disabled}>
        <Combobox.Target>
          <TextInput
            label={label}
            {...(name && { name })}
            placeholder={t("search")}
            leftSection={<Icon name="mail" size={14} />}
            maxLength={200}
            autoComplete="off"
            disabled={disabled}
            error={error ?? unknown}
            value={typed ?? (value ? (chosen.data?.name ?? "") : "")}
            onFocus={() => combobox.openDropdown()}
            onClick={() => combobox.openDropdown()}
            onBlur={() => {
              combobox.closeDropdown();
              if (typed === "") choose("");
              setTyped(undefined);
            }}
            onChange={(event) => {
              setTyped(event.currentTarget.value);
              combobox.openDropdown();
              combobox.resetSelectedOption();
            }}
          />
        </Combobox.Target>
        <Combobox.Dropdown>
          <Combobox.Options aria-label={t("templates")}>
            {rows.map(({ id, name: called, subject }) => (
              <Combobox.Option value={id} key={id} active={id === value}>
                <Lines>
                  <span className="cut">{called}</span>
                  <span className="cut quiet">{subject}</span>
                </Lines>
              </Combobox.Option>
            ))}
            {rows.length === 0 && <Combobox.Empty>{t(found.isFetching ? "searching" : "noMatch")}</Combobox.Empty>}
          </Combobox.Options>
        </Combobox.Dropdown>
      </Combobox>
      {links && <Beside value={value} subject={chosen.data?.subject} />}
    </div>
  );
}

/** The subject of the chosen template, and where it is edited or another is made. */
function Beside({ value, subject }: { value: string; subject: string | undefined }) {
  const t = useTexts(texts);
  const id = useId();
  const { id: workspace } = useWorkspace();
  return (
    <div className={css.chosen}>
      {subject !== undefined && (
        <span id={id} className="quiet cut">
          {subject}
        </span>
      )}
      {value !== "" && (
        <Link
          to="/w/$workspace/email-templates/$id"
          params={{ workspace, id: value }}
          target="_blank"
          aria-describedby={subject === undefined ? undefined : id}
        >
          {t("edit")}
          <Icon name="external" size={12} />
        </Link>
      )}
      <Link to="/w/$workspace/email-templates" params={{ workspace }} search={{ new: "yes" }} target="_blank">
        {t("new_templates")}
        <Icon name="external" size={12} />
      </Link>
    </div>
  );
}
