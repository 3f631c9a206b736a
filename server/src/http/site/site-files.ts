import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { extname, join, relative, sep } from 'node:path'
import { ownMember } from '@tollgate/contract/own-member'

export interface SiteFile {
  readonly type: string
  readonly etag: string
  readonly plain: Buffer
  /** Compressed beforehand by the build, when it was worth it. */
  readonly br: Buffer | undefined
  readonly gzip: Buffer | undefined
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.webp': 'image/webp',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.woff': 'font/woff',
  '.wasm': 'application/wasm',
}

/** A strong entity tag of some content. */
export const etagOf = (content: Buffer | string): string =>
  `"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`

const compressed = /\.(br|gz)$/

const isServed = (path: string): boolean =>
  !path.split(sep).some((part) => part.startsWith('.')) && !compressed.test(path) && !path.endsWith('.map')

const readIfThere = async (there: ReadonlySet<string>, directory: string, path: string): Promise<Buffer | undefined> =>
  there.has(path) ? readFile(join(directory, path)) : undefined

/**
 * Reads the built console into memory (a few megabytes): URL path → file. Only what was there at the start is served,
 * so no request can name a file elsewhere. Empty when there is no build.
 */
export const readSiteFiles = async (directory: string): Promise<ReadonlyMap<string, SiteFile>> => {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true }).catch(() => [])
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  const there = new Set(paths.map((path) => relative(directory, path)))
  const files = await Promise.all(
    [...there].filter(isServed).map(async (path): Promise<[string, SiteFile]> => {
      const plain = await readFile(join(directory, path))
      const [br, gzip] = await Promise.all([
        readIfThere(there, directory, `${path}.br`),
        readIfThere(there, directory, `${path}.gz`),
      ])
      const type = ownMember(types, extname(path).toLowerCase()) ?? 'application/octet-stream'
      return [`/${path.split(sep).join('/')}`, { type, etag: etagOf(plain), plain, br, gzip }]
    }),
  )
  return new Map(files)
}
