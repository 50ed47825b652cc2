import "./design/tokens.css"
import "./design/base.css"
import { RegistryProvider } from "@launch-registry/client/react"
import { QueryClient, QueryClientProvider } from "@tanstack/react-query"
import { StrictMode } from "react"
import { createRoot } from "react-dom/client"
import { brand } from "../brand.ts"
import { App } from "./App.tsx"
import { registry } from "./registry/Connection.ts"
import { WalletProvider } from "./wallet/WalletProvider.tsx"

document.title = brand.name
const queries = new QueryClient({ defaultOptions: { queries: { staleTime: 10_000, refetchOnWindowFocus: false } } })

createRoot(document.querySelector("#root")!).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <RegistryProvider registry={registry}>
        <WalletProvider>
          <App />
        </WalletProvider>
      </RegistryProvider>
    </QueryClientProvider>
  </StrictMode>,
)
