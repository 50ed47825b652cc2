import { markupText } from "@launch-registry/domain/text/MarkupText"
import { FAVICON_LINK } from "./Favicon.ts"

export interface Schema {
  readonly $ref?: string
  readonly type?: string | ReadonlyArray<string>
  readonly description?: string
  readonly enum?: ReadonlyArray<unknown>
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: ReadonlyArray<string>
  readonly allOf?: ReadonlyArray<Schema>
  readonly anyOf?: ReadonlyArray<Schema>
  readonly oneOf?: ReadonlyArray<Schema>
  readonly additionalProperties?: Schema | boolean
  readonly [keyword: string]: unknown
}

interface Shared {
  readonly $ref?: string
}

interface Example extends Shared {
  readonly summary?: string
  readonly value?: unknown
}

type Content = Readonly<
  Record<string, { readonly schema: Schema; readonly examples?: Readonly<Record<string, Example>> }>
>

interface Parameter extends Shared {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly description?: string
  readonly schema: Schema
  readonly example?: unknown
}

interface Response extends Shared {
  readonly description: string
  readonly content?: Content
}

interface Operation {
  readonly operationId: string
  readonly tags: ReadonlyArray<string>
  readonly summary?: string
  readonly description?: string
  readonly deprecated?: boolean
  readonly parameters?: ReadonlyArray<Parameter>
  readonly requestBody?: { readonly content: Content }
  readonly responses: Readonly<Record<string, Response>>
}

/** The part of an OpenAPI document that the page shows. */
export interface ReferenceDocument {
  readonly info: { readonly title: string; readonly version: string; readonly description?: string }
  readonly tags: ReadonlyArray<{ readonly name: string; readonly description?: string }>
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>> & {
    readonly schemas: Readonly<Record<string, Schema>>
  }
}

export const REFERENCE_STYLE = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
body { max-width: 62rem; margin: 2rem auto; padding: 0 1rem; overflow-wrap: break-word }
summary { cursor: pointer; padding: .3rem 0 }
details > div { scroll-margin-top: 3rem; margin: 0 0 1rem; padding-left: 1rem; border-left: 2px solid #8886 }
table { border-collapse: collapse; width: 100% }
th, td { text-align: left; vertical-align: top; padding: .2rem .8rem .2rem 0; border-top: 1px solid #8883; font-weight: 400 }
pre { overflow: auto; max-height: 30rem; padding: .6rem; background: #8881 }
s { opacity: .7 }
@media (max-width: 40rem) { tr, th, td { display: block } td { border: 0 } }
`

/** Descriptions have paragraphs, code and bold words. */
const prose = (text: string | undefined): string =>
  markupText(text ?? "")
    .replaceAll(/`([^`]+)`/g, "<code>$1</code>")
    .replaceAll(/\*\*([^*]+)\*\*/g, "<b>$1</b>")
    .replaceAll("\n\n", "<p>")

const json = (value: unknown): string =>
  `<pre>${markupText(typeof value === "string" ? value : JSON.stringify(value, null, 2))}</pre>`

const nameOf = ($ref: string): string => $ref.split("/").at(-1)!

/** Keywords that bound a value. */
const BOUNDS = ["default", "minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems", "pattern", "format"]

const typeOf = (schema: Schema): string => {
  if (schema.$ref !== undefined) return `<a href="#${nameOf(schema.$ref)}">${nameOf(schema.$ref)}</a>`
  const parts = schema.anyOf ?? schema.oneOf
  if (parts !== undefined) return [...new Set(parts.map(typeOf))].join(" or ")
  const said = BOUNDS.flatMap((name) => (name in schema ? [`${name} ${markupText(JSON.stringify(schema[name]))}`] : []))
  const bounds = said.length === 0 ? "" : ` (${said.join(", ")})`
  if (schema.enum !== undefined)
    return `${schema.enum.map((value) => markupText(JSON.stringify(value))).join(", ")}${bounds}`
  if (schema.items !== undefined) return `list of ${typeOf(schema.items)}${bounds}`
  return `${markupText(String(schema.type ?? "object"))}${bounds}`
}

const row = (name: string, isRequired: boolean, type: string, words: string): string =>
  `<tr><th scope="row"><code>${markupText(name)}</code>${isRequired ? "" : " (optional)"}</th><td>${type}</td><td>${words}</td></tr>`

/** The fields of an object, those within it below them. */
const fieldsOf = (schema: Schema): string => {
  const { allOf = [], items, properties = {}, required = [] } = schema
  const rows = Object.entries(properties).map(([name, field]) =>
    row(name, required.includes(name), typeOf(field), `${prose(field.description)}${fieldsOf(field)}`),
  )
  const within = [items, ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])]
    .map((part) => part && fieldsOf(part))
    .join("")
  const bases = allOf.map((base) => `<p>Fields of ${typeOf(base)}, and:</p>`).join("")
  return `${bases}${rows.length === 0 ? "" : `<table>${rows.join("")}</table>`}${within}`
}

/** The page of every operation and every schema: without scripts, because a browser shows it while it arrives. */
export const referencePage = (document: ReferenceDocument): string => {
  const { components, info, paths, tags } = document
  const found = <A extends Shared>(value: A): A =>
    value.$ref === undefined ? value : (components[value.$ref.split("/")[2]!]![nameOf(value.$ref)] as A)

  const contentOf = (content: Content = {}) =>
    Object.entries(content)
      .map(([type, { examples = {}, schema }]) => {
        const shown = Object.values(examples).map((example) => {
          const { summary, value } = found(example)
          return `<p>${prose(summary)}</p>${json(value)}`
        })
        return `<p><code>${markupText(type)}</code>: ${typeOf(schema)}</p>${fieldsOf(schema)}${shown.join("")}`
      })
      .join("")

  const responseOf = ([status, response]: readonly [string, Response]) => {
    const { content, description } = found(response)
    const head = `<b>${status}</b> ${prose(description)}`
    if (status.startsWith("2")) return `<h4>${head}</h4>${contentOf(content)}`
    const type = Object.values(content ?? {}).map(({ schema }) => typeOf(schema))
    return `<p>${head}: ${type.join()}</p>`
  }

  const operationOf = (method: string, path: string, operation: Operation) => {
    const { deprecated, description, operationId, parameters = [], requestBody, responses, summary } = operation
    const call = `<code><b>${method.toUpperCase()}</b> ${markupText(path)}</code>`
    const rows = parameters.map(found).map((parameter) => {
      const { example, in: place, name, required = false, schema } = parameter
      const words = `${prose(parameter.description)}${example === undefined ? "" : `<br>For example <code>${markupText(String(example))}</code>`}`
      return row(name, required, `${place}: ${typeOf(schema)}`, words)
    })
    return `<details><summary>${deprecated === true ? `<s>${call}</s>` : call} ${prose(summary)}</summary><div id="${operationId}">
<p>${prose(description)}</p>${rows.length === 0 ? "" : `<h4>Parameters</h4><table>${rows.join("")}</table>`}
${requestBody === undefined ? "" : `<h4>Body</h4>${contentOf(requestBody.content)}`}${Object.entries(responses).map(responseOf).join("")}</div></details>`
  }

  const all = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method, path, operation })),
  )
  const sections = tags.map(({ description, name }) => {
    const own = all.filter(({ operation }) => operation.tags.includes(name))
    return `<h2>${markupText(name)}</h2><p>${prose(description)}</p>
${own.map(({ method, operation, path }) => operationOf(method, path, operation)).join("\n")}`
  })
  const schemas = Object.entries(components.schemas).map(
    ([name, schema]) =>
      `<details><summary><code>${name}</code> ${prose(schema.description)}</summary><div id="${name}"><p>${typeOf(schema)}</p>${fieldsOf(schema)}</div></details>`,
  )
  const title = markupText(info.title)
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${title}</title>${FAVICON_LINK}<style>${REFERENCE_STYLE}</style></head>
<body>
<h1>${title} ${markupText(info.version)}</h1>
<details><summary>About</summary><div><p>${prose(info.description)}</p><p>For generators of clients: <a href="openapi.json">openapi.json</a></p></div></details>
${sections.join("\n")}
<h2>Schemas</h2>
${schemas.join("\n")}
</body>
</html>
`
}
