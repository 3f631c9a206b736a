import { AppError } from '../lib/app-error.ts'

const megabyte = 1024 * 1024
/** Nothing the console sends comes near: the largest are price tables. */
const bodyLimitBytes = megabyte

const tooLarge = (): AppError => new AppError('body_too_large', { params: { megabytes: bodyLimitBytes / megabyte } })

/** Reads a body up to 1 MB as text; throws AppError('body_too_large') past it, without keeping more. */
export const readBody = async (request: Request): Promise<string> => {
  if (Number(request.headers.get('content-length') ?? 0) > bodyLimitBytes) throw tooLarge()
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of request.body ?? []) {
    size += chunk.byteLength
    if (size > bodyLimitBytes) throw tooLarge()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** Throws AppError('invalid_parameter') for what is not JSON. */
export const readJson = async (request: Request): Promise<unknown> => {
  const text = await readBody(request)
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new AppError('invalid_parameter', { cause })
  }
}

/** The fields of a web form; where a name stands twice, the last counts. */
export const readForm = async (request: Request): Promise<Readonly<Record<string, string>>> =>
  Object.fromEntries(new URLSearchParams(await readBody(request)))
