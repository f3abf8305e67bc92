import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import "@tidings/react/styles.css";
import "./shop.css";
import { App } from "./app.tsx";

const root = document.getElementById("shop");
if (root)
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
