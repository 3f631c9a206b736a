import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'
import type { PageFiles } from './console-pages.ts'
import { contentPolicy, type OutsideOrigins } from './policy.ts'
import { etagOf } from './site-files.ts'

/** Placeholder of the build for the status, inside `<script type="application/json" id="status">`. */
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
  const named =
    name === ''
      ? html
      : html
          .replace(/<title>[^<]*<\/title>/, () => `<title>${escaped(name)}</title>`)
          .replace(/(<span class="frame-name">)[^<]*/, (_, tag: string) => tag + escaped(name))
  return logo === ''
    ? named
    : named
        .replace(/<link rel="icon"[^>]*>/, () => `<link rel="icon" href="${escaped(logo)}" />`)
        .replace(
          /<svg class="frame-mark"[\s\S]*?<\/svg>/,
          () => `<img class="frame-mark" src="${escaped(logo)}" alt="" width="22" height="22" />`,
        )
}

/** Adds preload links for the page's first files, which the browser would find only in scripts that it loads first. */
const withFiles = (html: string, { scripts, styles }: PageFiles, basePath: string): string => {
  const links = [
    ...styles.map((file) => `<link rel="preload" as="style" crossorigin href="${basePath}/${escaped(file)}" />`),
    ...scripts.map((file) => `<link rel="modulepreload" crossorigin href="${basePath}/${escaped(file)}" />`),
  ]
  return html.replace('</head>', () => `${links.join('')}</head>`)
}

/** The first reads stand behind the status, which they look at, and before everything that is fetched. */
const withEarlyReads = (html: string, { early }: PageFiles): string =>
  early === undefined ? html : html.replace(`${place}</script>`, (status) => `${status}<script>${early}</script>`)

const inLanguage = (html: string, language: string): string =>
  html.replace(
    /^(\s*<!doctype html>\s*)?<html( lang="[^"]*")?/i,
    (_, doctype = '') => `${doctype}<html lang="${language}"`,
  )

/**
 * The console's page for a site below a base path: its files are fetched from there, its own script reads the path without it and sets its
 * cookie for it alone, and the scripts find the path in `data-base`. The hash of the inline script is taken afterwards.
 */
const pageAtBasePath = (html: string, basePath: string): string =>
  html
    .replace(/<html\b(?: lang="[^"]*")?/i, (start) => `${start} data-base="${basePath}"`)
    .replace(/\b(href|src)="\/(?!\/)/g, (_, name: string) => `${name}="${basePath}/`)
    .replace(/\burl\((["']?)\/(?!\/)/g, (_, quote: string) => `url(${quote}${basePath}/`)
    .replaceAll('location.pathname', () => `(location.pathname.slice(${basePath.length}) || '/')`)
    .replaceAll('; path=/;', () => `; path=${basePath};`)

interface Page {
  readonly html: string
  /** The same, compressed once, off the main thread, for browsers that take it. */
  readonly packed: () => Promise<Buffer>
  readonly etag: string
  readonly policy: string
}

const pack = promisify(brotliCompress)
/** A page is packed anew whenever the status changes: more would take longer than it saves. */
const packing = {
  params: { [constants.BROTLI_PARAM_QUALITY]: 6, [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT },
}

/**
 * The console's page with the public status inside, so that the first paint needs no call, and with what the screen at its
 * address starts with, marked with the reader's language. Stored for each list of files and language until the status changes.
 */
export const createPage = (
  template: string,
  basePath = '',
): ((status: unknown, outside: OutsideOrigins, files: PageFiles, language: string) => Page) => {
  const whole = template.includes(place) ? template : template.replace('</head>', `${bootstrapElement}</head>`)
  const html = basePath === '' ? whole : pageAtBasePath(whole, basePath)
  let last: { content: string; outside: OutsideOrigins; pages: Map<PageFiles, Map<string, Page>> } | undefined
  return (status, outside, files, language) => {
    const content = asScriptContent(status)
    if (last?.content !== content || last.outside !== outside) last = { content, outside, pages: new Map() }
    const inLanguages = last.pages.get(files) ?? new Map<string, Page>()
    last.pages.set(files, inLanguages)
    const known = inLanguages.get(language)
    if (known) return known
    const prepared = withEarlyReads(html, files)
    const filled = inLanguage(withFiles(branded(prepared, status), files, basePath), language).replace(
      place,
      () => content,
    )
    const policy = contentPolicy(prepared, outside)
    let packed: Promise<Buffer> | undefined
    const page = {
      html: filled,
      packed: () => (packed ??= pack(filled, packing)),
      etag: etagOf(filled + policy),
      policy,
    }
    inLanguages.set(language, page)
    return page
  }
}
