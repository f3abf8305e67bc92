import { Button, TextInput } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { useTexts } from "../platform/language/texts.ts";
import { Icon } from "../platform/look/icons.tsx";
import { ownAddress } from "./address.ts";
import css from "./image-field.module.css";
import { ImagePicker } from "./image-picker.tsx";
import { texts } from "./texts.ts";

interface AddressFieldProps {
  label: string;
  description?: string;
  value: string;
  onChange: (address: string) => void;
  error?: string | undefined;
}
interface ImageFieldProps extends AddressFieldProps {
  /** The name of the field, for the errors of the service. */
  name?: string;
  disabled?: boolean;
  /** Draws the field for the address, where it is more than a text: the field of Liquid is in a folder above this one. */
  field?: (props: AddressFieldProps) => ReactNode;
}

/** The address of an image: typed, or chosen from the media library, into which a file can be uploaded at once. */
export function ImageField({ name, disabled = false, field, ...address }: ImageFieldProps) {
  const t = useTexts(texts);
  const [choosing, setChoosing] = useState(false);
  const { value, onChange, error, label, description } = address;
  return (
    <div className={css.field}>
      <div className={css.line}>
        <div className={css.address}>
          {field ? (
            field(address)
          ) : (
            <TextInput
              name={name}
              label={label}
              description={description}
              placeholder={"https://"}
              maxLength={2_048}
              disabled={disabled}
              value={value}
              error={error}
              onChange={(event) => onChange(event.currentTarget.value)}
            />
          )}
        </div>
        {!disabled && <Thumbnail key={value} address={value} />}
      </div>
      {!disabled && (
        <div className={css.buttons}>
          <Button
            variant="default"
            size="compact-sm"
            leftSection={<Icon name="image" size={14} />}
            onClick={() => setChoosing(true)}
          >
            {t("choose")}
          </Button>
          {value !== "" && (
            <Button variant="subtle" color="gray" size="compact-sm" onClick={() => onChange("")}>
              {t("noImage")}
            </Button>
          )}
        </div>
      )}
      {choosing && (
        <ImagePicker
          onChoose={(image) => {
            onChange(image.url);
            setChoosing(false);
          }}
          onClose={() => setChoosing(false)}
        />
      )}
    </div>
  );
}

/** The image beside its address. One with Liquid is another for each person, and the preview shows it. */
function Thumbnail({ address }: { address: string }) {
  const [broken, setBroken] = useState(false);
  if (broken || !/^https?:\/\//.test(address) || address.includes("{{")) return null;
  return <img className={css.thumbnail} src={ownAddress(address)} alt="" onError={() => setBroken(true)} />;
}
