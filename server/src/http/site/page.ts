import { contentPolicy, type OutsideOrigins } from './policy.ts'
import { etagOf } from './site-files.ts'

/** Where the build leaves room for the status, inside `<script type="application/json" id="status">`. */
const place = '__BOOTSTRAP__'

/** `<` cannot end the element then, whatever the options hold. */
const asScriptContent = (value: unknown): string => JSON.stringify(value).replaceAll('<', '\\u003c')

const bootstrapElement = `<script type="application/json" id="status">${place}</script>`

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

const textOf = (status: unknown, field: string): string => {
  const value: unknown = typeof status === 'object' && status !== null ? Reflect.get(status, field) : undefined
  return typeof value === 'string' ? value : ''
}

/** The site's own name and picture, so that the tab never shows another brand first. */
const branded = (html: string, status: unknown): string => {
  const name = textOf(status, 'system_name')
  const logo = textOf(status, 'logo')
  const named = name === '' ? html : html.replace(/<title>[^<]*<\/title>/, () => `<title>${escaped(name)}</title>`)
  return logo === ''
    ? named
    : named.replace(/<link rel="icon"[^>]*>/, () => `<link rel="icon" href="${escaped(logo)}" />`)
}

export interface Page {
  readonly html: string
  readonly etag: string
  readonly policy: string
}

/** The console's page with the public status inside, so that the first paint needs no call. Kept until it changes. */
export const createPage = (template: string): ((status: unknown, outside: OutsideOrigins) => Page) => {
  const html = template.includes(place) ? template : template.replace('</head>', `${bootstrapElement}</head>`)
  let last: { content: string; outside: OutsideOrigins; page: Page } | undefined
  return (status, outside) => {
    const content = asScriptContent(status)
    if (last?.content === content && last.outside === outside) return last.page
    const filled = branded(html, status).replace(place, () => content)
    const policy = contentPolicy(html, outside)
    last = { content, outside, page: { html: filled, etag: etagOf(filled + policy), policy } }
    return last.page
  }
}
