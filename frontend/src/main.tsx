import { StrictMode } from "react";
import { createRoot } from "react-dom/client";

import "./styles/tokens.css";
import "./styles/app.css";

const root = document.getElementById("root");
if (root) {
  createRoot(root).render(<StrictMode>{null}</StrictMode>);
}
