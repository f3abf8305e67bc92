import "@mantine/core/styles.layer.css";
import "./platform/look/base.css";
import { MantineProvider } from "@mantine/core";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { setNonce } from "get-nonce";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { router } from "./app/router.tsx";
import { SignInAgain } from "./members/door/sign-in-again.tsx";
import { queries } from "./platform/call/queries.ts";
import { theme } from "./platform/look/theme.ts";
import { Toasts } from "./platform/states/toasts.tsx";

// The policy of the page lets only style sheets with this nonce in: Mantine's variables, and the one that stops scrolling under a dialog.
const nonce = document.querySelector<HTMLElement>("script[nonce]")?.nonce ?? "";
setNonce(nonce);

createRoot(document.getElementById("root") as HTMLElement).render(
  <StrictMode>
    <MantineProvider theme={theme} defaultColorScheme="auto" getStyleNonce={() => nonce}>
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
        <SignInAgain />
        <Toasts />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
