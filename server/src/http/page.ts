import { createHash } from 'node:crypto'
import { etagOf } from './site-files.ts'

/** Where the build leaves room for the status, inside `<script type="application/json" id="status">`. */
const place = '__BOOTSTRAP__'

/** `<` cannot end the element then, whatever the options hold. */
const asScriptContent = (value: unknown): string => JSON.stringify(value).replaceAll('<', '\\u003c')

const bootstrapElement = `<script type="application/json" id="status">${place}</script>`

/** Hashes of scripts that the build itself put into the page: the policy names them one by one. */
const inlineScriptHashes = (html: string): readonly string[] =>
  [...html.matchAll(/<script(?![^>]*\bsrc=)(?![^>]*application\/json)[^>]*>([\s\S]*?)<\/script>/g)].map(
    ([, script = '']) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`,
  )

/**
 * Scripts only from our own files, so that HTML typed into notices, about page or footer can never run one (server
 * reference §12.4.49). Styles may be inline: the component library writes its variables so. Frames may show the chat
 * pages that the operator links; pictures come from anywhere, since logo addresses do.
 */
const policyOf = (html: string): string =>
  [
    "default-src 'self'",
    ["script-src 'self'", ...inlineScriptHashes(html)].join(' '),
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob: http: https:",
    "font-src 'self' data:",
    "media-src 'self' data: blob: http: https:",
    "connect-src 'self' https://api.github.com",
    'frame-src http: https:',
    "object-src 'none'",
    "base-uri 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')

export interface Page {
  readonly html: string
  readonly etag: string
  readonly policy: string
}

/** The console's page with the public status inside, so that the first paint needs no call. Kept until it changes. */
export const createPage = (template: string): ((status: unknown) => Page) => {
  const html = template.includes(place) ? template : template.replace('</head>', `${bootstrapElement}</head>`)
  const policy = policyOf(html)
  let lastContent: string | undefined
  let last: Page | undefined
  return (status) => {
    const content = asScriptContent(status)
    if (last !== undefined && lastContent === content) return last
    const filled = html.replace(place, () => content)
    lastContent = content
    last = { html: filled, etag: etagOf(filled), policy }
    return last
  }
}
