import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";

/** The policy also travels as a header from main; the page carries it too so that neither alone has to be right. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

/** Only in what is built: hot reload needs inline scripts and styles. */
function contentSecurityPolicyTag(): Plugin {
  return {
    name: "longsight-content-security-policy",
    apply: "build",
    transformIndexHtml: () => [
      { tag: "meta", attrs: { "http-equiv": "Content-Security-Policy", content: contentSecurityPolicy }, injectTo: "head-prepend" },
    ],
  };
}

export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  // The window's own scheme serves from its root.
  base: "/",
  plugins: [react(), contentSecurityPolicyTag()],
  build: {
    outDir: fileURLToPath(new URL("../out/renderer", import.meta.url)),
    emptyOutDir: true,
    target: "chrome108",
    cssTarget: "chrome108",
    // No data: addresses (the policy refuses them for scripts and workers), no inline polyfill.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1500,
  },
  worker: { format: "es" },
  server: { host: "127.0.0.1", strictPort: true, fs: { allow: [fileURLToPath(new URL("..", import.meta.url))] } },
});
