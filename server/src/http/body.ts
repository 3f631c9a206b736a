import { AppError } from '../lib/app-error.ts'
import { boundError, exceededBound, type JsonBounds } from '../lib/json/json-bounds.ts'

const megabyte = 1024 * 1024
/** Nothing the console sends comes near: the largest are price tables. */
const memberBytes = megabyte
/** Of callers who have not signed in: names, passwords, codes and the answers of passkeys. */
const visitorBytes = megabyte / 16

/** Bounds of a console body. Schemas and checks go into it level by level. */
const bounds: JsonBounds = {
  depth: 64,
  members: 50_000,
  containers: 50_000,
  texts: 100_000,
  values: 100_000,
  lists: new Map(),
}

const tooLarge = (limit: number): AppError =>
  new AppError('body_too_large', { params: { megabytes: Math.round((limit / megabyte) * 100) / 100 } })

const readBody = async (request: Request, isSignedIn: boolean, most = memberBytes): Promise<Buffer> => {
  const limit = isSignedIn ? most : visitorBytes
  if (Number(request.headers.get('content-length') ?? 0) > limit) throw tooLarge(limit)
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of request.body ?? []) {
    size += chunk.byteLength
    if (size > limit) throw tooLarge(limit)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/**
 * Reads a body as JSON: up to 1 MB from a caller who is signed in, or as many megabytes as the endpoint says, and up to 64 kB
 * from others, without keeping more.
 * Throws AppError: `body_too_large`, `body_too_complex` above the bounds of console bodies, `invalid_parameter` for what is
 * not JSON.
 */
export const readJson = async (request: Request, isSignedIn: boolean, megabytes = 1): Promise<unknown> => {
  const bytes = await readBody(request, isSignedIn, megabytes * megabyte)
  const exceeded = exceededBound(bytes, bounds)
  if (exceeded !== undefined) throw boundError(exceeded)
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch (cause) {
    throw new AppError('invalid_parameter', { cause })
  }
}

/** The fields of a web form, which other sites' machines send; where a name stands twice, the last counts. */
export const readForm = async (request: Request, megabytes?: number): Promise<Readonly<Record<string, string>>> => {
  const bytes = await readBody(request, megabytes !== undefined, (megabytes ?? 0) * megabyte)
  return Object.fromEntries(new URLSearchParams(bytes.toString('utf8')))
}
