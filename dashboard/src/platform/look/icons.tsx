/** Each icon as strokes on a grid of 16. */
const PATHS = {
  home: "M2.5 7.5 8 3l5.5 4.5M4 6.5V13h8V6.5M6.75 13V9.5h2.5V13",
  send: "M13.5 2.5 7 9M13.5 2.5l-4 11L7 9 2.5 6.5z",
  people:
    "M6 7.5a2.25 2.25 0 1 0 0-4.5 2.25 2.25 0 0 0 0 4.5M2 13c0-2.2 1.6-3.5 4-3.5s4 1.3 4 3.5M10.5 3.2a2.2 2.2 0 0 1 0 4.1M11.5 9.7c1.6.4 2.5 1.6 2.5 3.3",
  tray: "M2.5 9.5 4.25 3h7.5l1.75 6.5V13h-11zM2.5 9.5h3.25l.75 1.5h3l.75-1.5h3.25",
  settings:
    "M2.5 4.5h6M12 4.5h1.5M2.5 11.5H4M7.5 11.5h6M10.25 6.25a1.75 1.75 0 1 0 0-3.5 1.75 1.75 0 0 0 0 3.5M5.75 13.25a1.75 1.75 0 1 0 0-3.5 1.75 1.75 0 0 0 0 3.5",
  key: "M9 7 13.5 2.5M11.5 4.5l1.75 1.75M5.75 13a2.75 2.75 0 1 0 0-5.5 2.75 2.75 0 0 0 0 5.5M7.7 8.3 9 7",
  members: "M8 8a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5M3 13.5c0-2.4 2-4 5-4s5 1.6 5 4",
  search: "M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9M10.25 10.25l3.25 3.25",
  menu: "M2.5 4.5h11M2.5 8h11M2.5 11.5h11",
  close: "m4 4 8 8M12 4l-8 8",
  down: "m4.5 6.5 3.5 3.5 3.5-3.5",
  right: "m6.5 4.5 3.5 3.5-3.5 3.5",
  up: "m4.5 9.5 3.5-3.5 3.5 3.5",
  pause: "M5.75 3.5v9M10.25 3.5v9",
  play: "M5 3.25v9.5L12.5 8z",
  pulse: "M1.75 8.5h3l2-5 3 9 2-4h2.5",
  updown: "m5.5 6 2.5-2.5L10.5 6M5.5 10 8 12.5l2.5-2.5",
  check: "m3.5 8.5 3 3 6-7",
  copy: "M6 6V3.5A1 1 0 0 1 7 2.5h5.5a1 1 0 0 1 1 1V9a1 1 0 0 1-1 1H10M3.5 6H9a1 1 0 0 1 1 1v5.5a1 1 0 0 1-1 1H3.5a1 1 0 0 1-1-1V7a1 1 0 0 1 1-1",
  refresh: "M13 8a5 5 0 1 1-1.5-3.6M13 2.5V5h-2.5",
  warn: "M8 2.5 14 13H2zM8 6.5v3M8 11.2v.1",
  clock: "M8 13.5a5.5 5.5 0 1 0 0-11 5.5 5.5 0 0 0 0 11M8 5v3l2 1.5",
  moon: "M13 9.5A5.5 5.5 0 0 1 6.5 3a5.5 5.5 0 1 0 6.5 6.5",
  sun: "M8 10.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5M8 1.5v1.25M8 13.25v1.25M1.5 8h1.25M13.25 8h1.25M3.4 3.4l.9.9M11.7 11.7l.9.9M3.4 12.6l.9-.9M11.7 4.3l.9-.9",
  out: "M9.5 3H4v10h5.5M7 8h6.5M11 5.5 13.5 8 11 10.5",
  route: "M2.5 8h3.25L8.5 3.5h5M5.75 8l2.75 4.5h5M11.75 1.75l1.75 1.75-1.75 1.75M11.75 10.75l1.75 1.75-1.75 1.75",
  hook: "M10.5 4.5v5a3.25 3.25 0 0 1-6.5 0V8M2.5 9.5 4 8l1.5 1.5M10.5 4.5a1 1 0 1 0 0-2 1 1 0 0 0 0 2",
  plus: "M8 3.5v9M3.5 8h9",
  phone: "M5 2.5h6a.5.5 0 0 1 .5.5v10a.5.5 0 0 1-.5.5H5a.5.5 0 0 1-.5-.5V3a.5.5 0 0 1 .5-.5M7.25 11.5h1.5",
  desktop: "M2.5 3.5h11v7h-11zM6 13h4M8 10.5V13",
  keyboard: "M2 4.5h12v7H2zM4.5 7h.1M7 7h.1M9.5 7h.1M11.6 7h.1M5.5 9.25h5",
  mail: "M2.5 4h11v8.5h-11zM3 4.5l5 4 5-4",
  bell: "M4.25 11V7.25a3.75 3.75 0 0 1 7.5 0V11l1.25 1H3zM6.75 13.75h2.5",
  chat: "M2.5 3.5h11v7.5H7l-3 2.5V11H2.5z",
  window: "M2.5 3h11v10h-11zM2.5 6h11M4.5 4.5h.1M6.3 4.5h.1",
  chart: "M2.5 13.5h11M4.5 11.5V8M8 11.5V3.5M11.5 11.5v-5",
  history: "M3.3 6.2A5 5 0 1 1 3 8.6M3 3v3.2h3.2M8 5.5V8l2 1.25",
  refused: "M8 13.5a5.5 5.5 0 1 0 0-11 5.5 5.5 0 0 0 0 11M4.2 4.2l7.6 7.6",
  download: "M8 2.5v7.5M5 7l3 3 3-3M2.5 13h11",
  external: "M9.5 2.5h4v4M13.5 2.5 8 8M6.5 3.5h-3v9h9v-3",
} as const;
export type IconName = keyof typeof PATHS;

/** An icon beside a text: it says nothing itself. */
export function Icon({ name, size = 16 }: { name: IconName; size?: number }) {
  return (
    <svg
      aria-hidden="true"
      width={size}
      height={size}
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.35"
      strokeLinecap="round"
      strokeLinejoin="round"
      style={{ flex: "none" }}
    >
      <path d={PATHS[name]} />
    </svg>
  );
}
