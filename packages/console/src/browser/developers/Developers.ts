import { html, type View } from "../Html.ts"
import { Section } from "../Section.ts"
import { ErrorTable } from "./ErrorTable.ts"
import { FindRequest } from "./FindRequest.ts"
import { SendTest } from "./SendTest.ts"
import { SignatureForm } from "./SignatureForm.ts"
import { StreamInspector } from "./StreamInspector.ts"

/** What somebody who builds on the API asks: what arrives, is it signed, what does a code mean, where is a request. */
export const Developers = (): View =>
  html`<div class="bar"><h1>Developers</h1></div>
    <${Section} id="stream" name="Event stream"><${StreamInspector} /><//>
    <${Section} id="webhooks" name="Webhook tester"><${SendTest} /><${SignatureForm} /><//>
    <${Section} id="errors" name="Errors by code"><${ErrorTable} /><//>
    <${Section} id="requests" name="A request by its id"><${FindRequest} /><//>`
