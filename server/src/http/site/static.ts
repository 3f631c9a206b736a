import { limitKey } from '../../lib/security/client-address.ts'
import { invalidUrlAnswer } from '../answer.ts'
import type { RateLimiter, RateRule } from '../limits/rate-limit.ts'
import type { createRequestContexts, Fetch, RequestFacts } from '../request-context.ts'
import { readConsolePages } from './console-pages.ts'
import { createPage } from './page.ts'
import { noOrigins, type OutsideOrigins } from './policy.ts'
import { listSiteFiles, type ServedFile } from './site-files.ts'

const further: ReadonlySet<string> = new Set(['en', 'fr', 'ja', 'ru', 'vi'])
const traditional: ReadonlySet<string> = new Set(['hant', 'tw', 'hk', 'mo'])

/** The console's language for a tag such as `zh-Hant-HK` or `fr-CA`; Chinese for all others, as the console itself decides. */
const languageOfTag = (tag: string): string => {
  const parts = tag.trim().toLowerCase().split(/[-_]/)
  const [first = ''] = parts
  if (first === 'zh') return parts.some((part) => traditional.has(part)) && !parts.includes('hans') ? 'zh-TW' : 'zh'
  return further.has(first) ? first : 'zh'
}

/**
 * The `lang` of the page before its scripts run: what the reader chose (the cookie that the page keeps), otherwise the first
 * language of the browser.
 */
const pageLanguage = (headers: Headers): string => {
  const [, chosen] = /(?:^|;\s*)console_language=([\w-]{2,20})(?:;|$)/.exec(headers.get('cookie') ?? '') ?? []
  return languageOfTag(chosen ?? headers.get('accept-language')?.split(/[,;]/)[0] ?? '')
}

export interface SiteParts {
  /** The built console; `web/dist`. */
  readonly directory: string
  /** `data` of `GET /api/status`, written into the page. */
  readonly status: () => unknown | Promise<unknown>
  readonly limiter: RateLimiter
  /** `config.rateLimits.web`; files of the build are not counted. */
  readonly webLimit: RateRule
  /** The address to which a slave node sends browsers instead. */
  readonly redirectTo: string | undefined
  /** Path below which the site is reached; empty or absent for the root of its host. */
  readonly basePath?: string
  readonly requestContexts: ReturnType<typeof createRequestContexts>
  /** Origins that the page may use beyond its own; the same object until they change. */
  readonly outsideOrigins?: () => OutsideOrigins
}

const notBuilt = 'The console has not been built yet. Run "npm run build" and start again; the API works without it.\n'
const year = 31_536_000
const week = 604_800

/** Paths of the servers beside the console: an unknown one there is a mistake, not a page. */
const isForPrograms = (path: string): boolean => /^\/(v1|api|assets)/.test(path)

/** True if a person asks, in a browser, who reads pages; programs read JSON. */
const isNavigation = (request: Request): boolean => (request.headers.get('accept') ?? '').includes('text/html')

const securityHeaders = {
  'Referrer-Policy': 'strict-origin-when-cross-origin',
  'X-Frame-Options': 'DENY',
  'Cross-Origin-Opener-Policy': 'same-origin-allow-popups',
}

const isCurrent = (request: Request, etag: string): boolean =>
  (request.headers.get('if-none-match') ?? '').split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag)

const bodyFor = (request: Request, file: ServedFile): { body: Buffer; encoding: string | undefined } => {
  const accepted = request.headers.get('accept-encoding') ?? ''
  if (file.br && /\bbr\b/.test(accepted)) return { body: file.br, encoding: 'br' }
  if (file.gzip && /\bgzip\b/.test(accepted)) return { body: file.gzip, encoding: 'gzip' }
  return { body: file.plain, encoding: undefined }
}

/** Pictures in SVG can hold scripts when they are opened by themselves. */
const isDocument = ({ type }: ServedFile): boolean => type.startsWith('image/svg') || type.startsWith('text/html')
const filePolicy = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"

/** Names under /assets hold a hash of their content and never change. */
const fileAnswer = (request: Request, path: string, file: ServedFile): Response => {
  const headers = {
    ...securityHeaders,
    ...(isDocument(file) ? { 'Content-Security-Policy': filePolicy } : {}),
    'Cache-Control': path.startsWith('/assets/') ? `public, max-age=${year}, immutable` : `public, max-age=${week}`,
    ETag: file.etag,
    Vary: 'Accept-Encoding',
  }
  if (isCurrent(request, file.etag)) return new Response(null, { status: 304, headers })
  const { body, encoding } = bodyFor(request, file)
  const more = { 'Content-Type': file.type, 'Content-Length': String(body.length) }
  const content = request.method === 'HEAD' ? null : new Uint8Array(body)
  return new Response(content, {
    headers: { ...headers, ...more, ...(encoding === undefined ? {} : { 'Content-Encoding': encoding }) },
  })
}

const readBuild = async (directory: string, basePath: string | undefined) => {
  const files = await listSiteFiles(directory)
  const consolePages = await readConsolePages(directory)
  const index = await files.get('/index.html')
  return {
    files,
    consolePages,
    page: index === undefined ? undefined : createPage(index.plain.toString('utf8'), basePath),
  }
}

type Build = Awaited<ReturnType<typeof readBuild>>

/** Serves the console: files of the build, its page for the paths of its router, and 404 for every other path. */
export const createSite = (parts: SiteParts): { readonly fetch: Fetch } => {
  /** Read on the first request: many sites are called by programs alone, and it takes 30 ms of a start. */
  let build: Promise<Build> | undefined
  const built = (): Promise<Build> => {
    build ??= readBuild(parts.directory, parts.basePath).catch((error: unknown) => {
      build = undefined
      throw error
    })
    return build
  }

  /** The page; for an unknown path with status 404, so that it shows that there is nothing. */
  const pageAnswer = async (
    request: Request,
    { page, consolePages }: Build,
    pattern: string | undefined,
  ): Promise<Response> => {
    const status = pattern === undefined ? 404 : 200
    if (page === undefined)
      return new Response(notBuilt, { status: 503, headers: { 'Content-Type': 'text/plain; charset=utf-8' } })
    const { html, packed, etag, policy } = page(
      await parts.status(),
      parts.outsideOrigins?.() ?? noOrigins,
      consolePages.filesOf(pattern ?? ''),
      pageLanguage(request.headers),
    )
    const headers = {
      ...securityHeaders,
      'Content-Security-Policy': policy,
      'Cache-Control': 'no-cache',
      ETag: etag,
      Vary: 'Accept-Encoding, Accept-Language, Cookie',
    }
    if (status === 200 && isCurrent(request, etag)) return new Response(null, { status: 304, headers })
    const answered = { ...headers, 'Content-Type': 'text/html; charset=utf-8' }
    if (request.method === 'HEAD') return new Response(null, { status, headers: answered })
    if (!/\bbr\b/.test(request.headers.get('accept-encoding') ?? ''))
      return new Response(html, { status, headers: answered })
    return new Response(new Uint8Array(await packed()), { status, headers: { ...answered, 'Content-Encoding': 'br' } })
  }

  const handle = async (request: Request, context: RequestFacts): Promise<Response> => {
    const { pathname, search } = new URL(request.url)
    const build = await built()
    const { files, consolePages } = build
    const reading = request.method === 'GET' || request.method === 'HEAD'
    const file = reading && pathname !== '/index.html' ? await files.get(pathname) : undefined
    if (file !== undefined) return fileAnswer(request, pathname, file)
    if (!(await parts.limiter.take(`GW${limitKey(context.ip)}`, parts.webLimit)))
      return new Response(null, { status: 429 })
    if (parts.redirectTo !== undefined) {
      return new Response(null, { status: 301, headers: { Location: parts.redirectTo + pathname + search } })
    }
    if (!reading || isForPrograms(pathname)) return invalidUrlAnswer(request, context.language)
    const pattern = consolePages.patternOf(pathname === '/index.html' ? '/' : pathname)
    if (pattern !== undefined || isNavigation(request)) return pageAnswer(request, build, pattern)
    return invalidUrlAnswer(request, context.language)
  }

  return { fetch: parts.requestContexts(handle) }
}
