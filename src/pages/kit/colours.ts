import type { Level } from "./words.js";

/** The bands' colours of the light pages, as the bar and as its ground (see STYLESHEET). */
export const BAR_COLOURS: Readonly<Record<Level, readonly [string, string]>> = {
  0: ["#b42318", "#fde4e1"],
  1: ["#a85c00", "#fdedcf"],
  2: ["#55781a", "#eaf3d2"],
  3: ["#0e7a4b", "#d9f3e5"],
  none: ["#667180", "#e6e9ee"],
};
