import { ReadableStream } from 'node:stream/web'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { type Endpoint, type Envelope, errorText, type Language } from '@tollgate/contract'
import { serialize } from 'hono/utils/cookie'
import { AppError } from '../lib/app-error.ts'
import type { Cookie, EndpointAnswer, FileAnswer } from './route.ts'

const compress = promisify(gzip)
/** Below this, compressing costs more than it saves. */
const worthCompressing = 1024

const jsonHeaders = {
  'Content-Type': 'application/json; charset=utf-8',
  'Cache-Control': 'no-store',
  Vary: 'Accept-Encoding',
}

/** A JSON answer, compressed off the main thread when the client takes it and it is worth the while. */
export const jsonAnswer = async (request: Request, body: unknown, status = 200): Promise<Response> => {
  const text = JSON.stringify(body)
  const takesGzip = /\bgzip\b/i.test(request.headers.get('accept-encoding') ?? '')
  if (text.length <= worthCompressing || !takesGzip) return new Response(text, { status, headers: jsonHeaders })
  const packed = await compress(text)
  return new Response(new Uint8Array(packed), { status, headers: { ...jsonHeaders, 'Content-Encoding': 'gzip' } })
}

/** Sends a browser to a path of this site, or to an address elsewhere. */
export const redirectAnswer = (target: string): Response =>
  new Response(null, { status: 302, headers: { Location: target, 'Cache-Control': 'no-store' } })

/** The envelope of a successful call. */
export const successEnvelope = (answer: EndpointAnswer<Endpoint>): Envelope & Record<string, unknown> => ({
  ...answer.beside,
  success: true,
  message: answer.message ?? '',
  ...(answer.data === undefined ? {} : { data: answer.data }),
})

/** The envelope of a refused call, in the caller's language. */
export const failureEnvelope = (error: AppError, language: Language, requestId: string): Envelope => ({
  ...error.beside,
  success: false,
  message: error.textIn(language),
  code: error.code,
  params: error.namedParams,
  request_id: requestId,
  ...(error.data === undefined ? {} : { data: error.data }),
})

/** The same without `success`, as clients of the wallet's payments know it. */
export const successMessage = (answer: EndpointAnswer<Endpoint>): Readonly<Record<string, unknown>> => ({
  ...answer.beside,
  message: 'success',
  ...(answer.data === undefined ? {} : { data: answer.data }),
})

export const failureMessage = (error: AppError, language: Language): Readonly<Record<string, unknown>> => {
  const shown = error.code === 'invalid_parameter' ? new AppError('topup_parameter') : error
  return { message: 'error', data: shown.textIn(language), code: shown.code, params: shown.namedParams }
}

/** Node's own streams are a body; the types of browsers do not know that. */
type ResponseBody = ConstructorParameters<typeof Response>[0]

/** A file, written as fast as the client reads it; when the client goes, the making of it ends. */
export const fileAnswer = ({ name, type, parts, headers }: FileAnswer): Response => {
  const encoder = new TextEncoder()
  const bytes = async function* () {
    for await (const part of parts) yield typeof part === 'string' ? encoder.encode(part) : part
  }
  return new Response(ReadableStream.from(bytes()) as ResponseBody, {
    headers: {
      'Content-Type': type,
      'Content-Disposition': `attachment; filename="${name}"`,
      'Cache-Control': 'no-store',
      ...headers,
    },
  })
}

/** One plain word for a machine. */
export const textAnswer = (text: string): Response =>
  new Response(text, { headers: { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' } })

/** The answer for paths that nothing serves, in the shape clients of the reference know. */
export const invalidUrlAnswer = (request: Request, language: Language): Promise<Response> => {
  const { pathname } = new URL(request.url)
  const message = errorText('invalid_url', language, { method: request.method, path: pathname })
  return jsonAnswer(request, { error: { message, type: 'invalid_request_error', param: '', code: '' } }, 404)
}

/** Cookies are for this site's own pages only, unreadable for scripts. */
export const cookieText = (
  cookie: Cookie,
  { secure, basePath = '' }: { readonly secure: boolean; readonly basePath?: string },
): string =>
  serialize(cookie.name, cookie.value ?? '', {
    path: basePath === '' ? '/' : basePath,
    httpOnly: true,
    sameSite: 'Lax',
    maxAge: cookie.value === undefined ? 0 : cookie.maxAgeSeconds,
    ...(secure ? { secure } : {}),
  })
