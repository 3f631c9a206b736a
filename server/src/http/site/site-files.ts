import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { extname, join, relative, sep } from 'node:path'
import { ownMember } from '@tollgate/contract/own-member'
import { createBoundedCache } from '../../lib/caches/bounded-cache.ts'
import { onFirstUse } from '../../lib/on-first-use.ts'

export interface ServedFile {
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

/** The console as it was built. */
export interface SiteFiles {
  /** Reads a file by its URL path; undefined for a path outside the build. */
  get(path: string): Promise<ServedFile | undefined>
}

/** Bytes of all cached files together: more than one person's screens take. */
const mostBytes = 4 * 1024 * 1024
const bytesOf = ({ plain, br, gzip }: ServedFile): number => plain.length + (br?.length ?? 0) + (gzip?.length ?? 0)

/**
 * Lists the built console; files are read on their first request, and those in use stay in memory. Only files that existed at the start
 * are served, so no request can name a file elsewhere. Empty when there is no build. `keep` is the most bytes in memory.
 */
export const listSiteFiles = async (directory: string, { keep = mostBytes } = {}): Promise<SiteFiles> => {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true }).catch(() => [])
  // Deferred to the first page, since a start has other things to do.
  const listed = onFirstUse(() => {
    const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
    const there = new Set(paths.map((path) => relative(directory, path)))
    return {
      there,
      served: new Map([...there].filter(isServed).map((path) => [`/${path.split(sep).join('/')}`, path])),
    }
  })
  const kept = createBoundedCache<string, ServedFile>({ entries: entries.length, bytes: { most: keep, bytesOf } })

  const readIfThere = async (path: string): Promise<Buffer | undefined> =>
    listed().there.has(path) ? readFile(join(directory, path)).catch(() => undefined) : undefined

  const read = async (path: string): Promise<ServedFile | undefined> => {
    const [plain, br, gzip] = await Promise.all([
      readIfThere(path),
      readIfThere(`${path}.br`),
      readIfThere(`${path}.gz`),
    ])
    // A build that runs now has taken it away.
    if (plain === undefined) return undefined
    const type = ownMember(types, extname(path).toLowerCase()) ?? 'application/octet-stream'
    return { type, etag: etagOf(plain), plain, br, gzip }
  }

  return {
    async get(url) {
      const path = listed().served.get(url)
      if (path === undefined) return undefined
      const known = kept.get(path)
      if (known !== undefined) return known
      const file = await read(path)
      if (file !== undefined) kept.set(path, file)
      return file
    },
  }
}
