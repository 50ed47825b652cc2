import { html, type View } from "../Html.ts"
import { ErrorTable } from "./ErrorTable.ts"
import { FindRequest } from "./FindRequest.ts"
import { SendTest } from "./SendTest.ts"
import { SignatureForm } from "./SignatureForm.ts"
import { StreamInspector } from "./StreamInspector.ts"

const section = (id: string, name: string, view: View): View =>
  html`<section aria-labelledby=${id}>
    <h2 id=${id}>${name}</h2>
    ${view}
  </section>`

/** What somebody who builds on the API asks: what arrives, is it signed, what does a code mean, where is a request. */
export const Developers = (): View =>
  html`<div class="bar"><h1>Developers</h1></div>
    ${section("stream", "Event stream", html`<${StreamInspector} />`)}
    ${section("webhooks", "Webhook tester", html`<${SendTest} /><${SignatureForm} />`)}
    ${section("errors", "Errors by code", html`<${ErrorTable} />`)}
    ${section("requests", "A request by its id", html`<${FindRequest} />`)}`
