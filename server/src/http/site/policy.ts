import { createHash } from 'node:crypto'

/** Origins beyond our own that the page may use, by what they are used for. */
export interface OutsideOrigins {
  readonly scripts: readonly string[]
  readonly frames: readonly string[]
  /** Origins that forms may be sent to, e.g. a payment gateway. */
  readonly forms: readonly string[]
}

export const noOrigins: OutsideOrigins = { scripts: [], frames: [], forms: [] }

/** Everything that any of the lists names, each origin once. */
export const joinOrigins = (lists: readonly Partial<OutsideOrigins>[]): OutsideOrigins => ({
  scripts: [...new Set(lists.flatMap((list) => list.scripts ?? []))],
  frames: [...new Set(lists.flatMap((list) => list.frames ?? []))],
  forms: [...new Set(lists.flatMap((list) => list.forms ?? []))],
})

/** The origin of a web address; none for anything else, such as links that open a client on the machine. */
export const originsOf = (address: string): readonly string[] => {
  if (!/^https?:\/\//i.test(address.trim())) return []
  try {
    return [new URL(address.trim()).origin]
  } catch {
    return []
  }
}

/** Hashes of scripts that the build itself put into the page: the policy names them one by one. */
const inlineScriptHashes = (html: string): readonly string[] =>
  [...html.matchAll(/<script(?![^>]*\bsrc=)(?![^>]*application\/json)[^>]*>([\s\S]*?)<\/script>/g)].map(
    ([, script = '']) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`,
  )

/**
 * The page's content policy. Scripts only from our own files and the services that the operator switched on, so that HTML
 * typed into notices, about page or footer can never run one. Frames show only the pages that
 * the operator links. Styles may be inline: the component library writes its variables so. Pictures come from anywhere,
 * since logo addresses do.
 */
export const contentPolicy = (html: string, outside: OutsideOrigins): string =>
  [
    "default-src 'self'",
    ["script-src 'self'", ...inlineScriptHashes(html), ...outside.scripts].join(' '),
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob: http: https:",
    "font-src 'self' data:",
    "media-src 'self' data: blob: http: https:",
    "connect-src 'self' https://api.github.com",
    `frame-src ${outside.frames.length === 0 ? "'none'" : outside.frames.join(' ')}`,
    "object-src 'none'",
    "base-uri 'self'",
    ["form-action 'self'", ...outside.forms].join(' '),
    "frame-ancestors 'none'",
  ].join('; ')
