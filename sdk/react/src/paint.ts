import { useEffect, useLayoutEffect } from "react";

/** React 18 warns of a layout effect on a server, where neither does anything. */
export const useBeforePaint = typeof document === "undefined" ? useEffect : useLayoutEffect;
