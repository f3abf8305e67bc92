import { useMemo } from "react";
import { encode } from "uqr";
import css from "../members.module.css";

/** Space around the code, in modules, which readers need. */
const QUIET = 4;

/** A QR code, dark on white in both themes: readers need the contrast. */
export function QrCode({ value, label }: { value: string; label: string }) {
  const { data, size } = useMemo(() => encode(value, { ecc: "M", border: 0 }), [value]);
  const path = data.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : []))).join("");
  const side = size + 2 * QUIET;
  return (
    <svg className={css.qr} role="img" aria-label={label} viewBox={`${-QUIET} ${-QUIET} ${side} ${side}`}>
      <rect x={-QUIET} y={-QUIET} width={side} height={side} fill="#fff" />
      <path d={path} fill="#000" shapeRendering="crispEdges" />
    </svg>
  );
}
