import type { Config } from "tailwindcss";
import plugin from "tailwindcss/plugin";

/** Every colour of the product, as [light, dark]. `tailwind.config.test.ts` holds the pairs to WCAG AA. */
export const PALETTE = {
  canvas: ["#f7f6f3", "#121211"],
  surface: ["#ffffff", "#181817"],
  raised: ["#ffffff", "#1f1f1d"],
  hover: ["#f4f3ef", "#20201e"],
  line: ["#e8e6e0", "#2a2a27"],
  "line-strong": ["#d3d0c7", "#3d3c38"],
  control: ["#8f8c83", "#6f6d66"],
  ink: ["#1c1b18", "#eeece6"],
  muted: ["#5c5a53", "#a8a59c"],
  faint: ["#6d6a62", "#908d85"],
  accent: ["#0b5a6f", "#64c1d6"],
  "accent-strong": ["#07495a", "#8dd5e5"],
  "accent-ink": ["#ffffff", "#06222a"],
  "accent-tint": ["#e4f1f4", "#12303a"],
  positive: ["#14663a", "#6fd197"],
  "positive-tint": ["#e3f4e9", "#14301f"],
  negative: ["#a9261b", "#f59387"],
  "negative-strong": ["#8c1d14", "#f8ada4"],
  "negative-ink": ["#ffffff", "#310805"],
  "negative-tint": ["#fcebe8", "#3a1915"],
  warning: ["#7d4d00", "#e8b45c"],
  "warning-tint": ["#fbf0d9", "#33260e"],
  info: ["#3a4a8c", "#a5b4f5"],
  "info-tint": ["#eaedf9", "#20253f"],
  neutral: ["#55534c", "#b3b0a7"],
  "neutral-tint": ["#efede8", "#292927"],
  panel: ["#0a3d4c", "#0c2a34"],
  "panel-raised": ["#0e4a5b", "#10333f"],
  "panel-ink": ["#eaf5f8", "#dceef3"],
  "panel-muted": ["#a9cdd7", "#93bac5"],
} as const satisfies Record<string, readonly [light: string, dark: string]>;

/** The widths at which the layout changes, for the window (`wide:`) and for an element's container (`@wide:`). */
export const BREAKPOINTS = { medium: "40rem", wide: "56.25rem", widest: "64rem" } as const;

const shades = Object.entries(PALETTE);

export default {
  content: [],
  theme: {
    screens: BREAKPOINTS,
    colors: {
      transparent: "transparent",
      current: "currentColor",
      scrim: "var(--scrim)",
      ...Object.fromEntries(shades.map(([name]) => [name, `var(--${name})`])),
    },
    fontSize: {
      xs: ["11.5px", "16px"],
      sm: ["12.5px", "18px"],
      base: ["13.5px", "20px"],
      md: ["15px", "22px"],
      lg: ["18px", "26px"],
      xl: ["23px", "30px"],
      "2xl": ["30px", "36px"],
    },
    borderRadius: { none: "0", sm: "4px", DEFAULT: "6px", lg: "10px", full: "999px" },
    boxShadow: {
      none: "none",
      control: "0 1px 1px 0 var(--shade-1)",
      float: "0 0 0 1px var(--line), 0 8px 28px -6px var(--shade-2), 0 2px 6px -2px var(--shade-1)",
    },
    extend: {
      fontFamily: {
        sans: "var(--font-inter), ui-sans-serif, system-ui, sans-serif",
        mono: 'ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace',
      },
      containers: BREAKPOINTS,
    },
  },
  plugins: [
    plugin(({ addBase }) => {
      addBase({
        ":root": {
          "color-scheme": "light dark",
          "--scrim": "light-dark(rgb(28 27 24 / 0.38), rgb(0 0 0 / 0.62))",
          "--shade-1": "light-dark(rgb(28 27 24 / 0.07), rgb(0 0 0 / 0.4))",
          "--shade-2": "light-dark(rgb(28 27 24 / 0.16), rgb(0 0 0 / 0.6))",
          ...Object.fromEntries(shades.map(([name, [light, dark]]) => [`--${name}`, `light-dark(${light}, ${dark})`])),
        },
        ':root[data-theme="light"]': { "color-scheme": "light" },
        ':root[data-theme="dark"]': { "color-scheme": "dark" },
      });
    }),
  ],
} satisfies Config;
