import { useLocation } from "@tanstack/react-router";

/** The one-time token of the link that led here. It stands behind the #, which browsers send to no server. */
export const useToken = (): string => new URLSearchParams(useLocation().hash).get("token") ?? "";
