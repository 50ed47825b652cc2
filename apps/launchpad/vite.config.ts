import react from "@vitejs/plugin-react"
import { defineConfig } from "vite"

/** The registry that `vite dev` passes requests on to, where `brand.registry` is empty. */
const registry = process.env["REGISTRY_URL"] ?? "http://localhost:3001"

export default defineConfig({
  // Relative, so that the files work below any path.
  base: "./",
  plugins: [react()],
  // The hooks of the client use those of this app, wherever the client is linked from.
  resolve: { dedupe: ["react", "react-dom", "@tanstack/react-query"] },
  build: {
    target: "es2023",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    license: { fileName: "licences.md" },
  },
  server: {
    proxy: {
      ...Object.fromEntries(
        ["/api", "/ipfs", "/docs", "/t/", "/console/faucet", "/readyz"].map((path) => [path, registry]),
      ),
      // Health for clients; a page for people.
      "^/$": { target: registry, bypass: ({ headers, url }) => (headers.accept?.includes("html") ? url : undefined) },
    },
  },
})
