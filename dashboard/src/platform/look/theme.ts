import { createTheme, type MantineColorsTuple } from "@mantine/core";

// Warm greys and one accent, the green of oxidised copper. Everything else that has a colour means something (see tones in base.css).
const accent: MantineColorsTuple = [
  "#ebf5f2",
  "#d5e9e4",
  "#abd4cb",
  "#7fbfb2",
  "#58ac9c",
  "#3a9c8a",
  "#1d8372",
  "#0f6b5f",
  "#0b5a50",
  "#074840",
];
const gray: MantineColorsTuple = [
  "#f8f8f6",
  "#f0f0ed",
  "#e5e5e1",
  "#d4d4cf",
  "#b5b5af",
  "#8b8c87",
  "#62635f",
  "#4b4c49",
  "#333432",
  "#1e1f1d",
];
const dark: MantineColorsTuple = [
  "#e7e7e3",
  "#c5c6c2",
  "#a2a39e",
  "#7c7d78",
  "#484a47",
  "#363835",
  "#272926",
  "#191b19",
  "#131513",
  "#0d0f0d",
];

export const theme = createTheme({
  primaryColor: "accent",
  primaryShade: { light: 7, dark: 6 },
  colors: { accent, gray, dark },
  fontFamily: "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'Liberation Sans', sans-serif",
  fontFamilyMonospace: "ui-monospace, 'SF Mono', 'Cascadia Mono', Menlo, Consolas, 'Liberation Mono', monospace",
  headings: {
    fontWeight: "600",
    sizes: { h1: { fontSize: "1.375rem", lineHeight: "1.75rem" }, h2: { fontSize: "1rem", lineHeight: "1.5rem" } },
  },
  defaultRadius: 6,
  cursorType: "pointer",
  spacing: { xs: "8px", sm: "12px", md: "16px", lg: "24px", xl: "32px" },
  respectReducedMotion: true,
  components: {
    Button: { defaultProps: { size: "sm" } },
    // Mantine's close button has no name. Who wants one gives it a name.
    Modal: { defaultProps: { centered: true, withCloseButton: false, transitionProps: { duration: 120 } } },
    Drawer: { defaultProps: { withCloseButton: false, transitionProps: { duration: 160 } } },
    Tooltip: {
      defaultProps: {
        openDelay: 300,
        withArrow: false,
        events: { hover: true, focus: true, touch: false },
        // It must not make the page scroll where the window becomes narrower under it.
        floatingStrategy: "fixed",
      },
    },
    Menu: { defaultProps: { shadow: "md", transitionProps: { duration: 80 } } },
  },
});
