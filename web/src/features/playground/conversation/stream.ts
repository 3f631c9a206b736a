import { ApiError, httpError, sendSignedIn } from '../../../lib/api/api.ts'
import { callHeaders } from '../../../lib/api/call-address.ts'
import type { Envelope } from '../../../lib/api/contract.ts'
import { splitEvents } from '../../../lib/api/sse.ts'
import { unbroken } from '../../../lib/api/unbroken.ts'
import { errorIn } from '../../../lib/i18n.ts'
import type { Piece } from './message.ts'

interface Delta {
  content?: string | null
  reasoning_content?: string | null
  reasoning?: string | null
  /** How some providers send pictures that a model has drawn. */
  images?: ({ image_url?: { url?: string } } | null)[] | null
  tool_calls?: ({ index?: number; function?: { name?: string; arguments?: string } } | null)[] | null
}

interface Chunk {
  choices?: { delta?: Delta }[]
  usage?: { prompt_tokens?: number; completion_tokens?: number } | null
  error?: { message?: string } | string
}

const piecesOf = (data: string): Piece[] => {
  let chunk: Chunk
  try {
    chunk = JSON.parse(data) as Chunk
  } catch {
    return []
  }
  if (chunk.error !== undefined) {
    const message = typeof chunk.error === 'string' ? chunk.error : chunk.error.message
    return [{ kind: 'error', text: message ?? data }]
  }
  const delta = chunk.choices?.[0]?.delta
  const reasoning = delta?.reasoning_content ?? delta?.reasoning
  const pictures = (delta?.images ?? []).flatMap((image) => image?.image_url?.url ?? [])
  const calls = (delta?.tool_calls ?? []).flatMap((call, place) =>
    call === null
      ? []
      : [
          {
            kind: 'call' as const,
            at: call.index ?? place,
            name: call.function?.name ?? '',
            input: call.function?.arguments ?? '',
          },
        ],
  )
  return [
    ...pictures.map((text) => ({ kind: 'image' as const, text })),
    ...(reasoning ? [{ kind: 'reasoning' as const, text: reasoning }] : []),
    ...(delta?.content ? [{ kind: 'text' as const, text: delta.content }] : []),
    ...calls,
    ...(chunk.usage
      ? [
          {
            kind: 'usage' as const,
            usage: { input: chunk.usage.prompt_tokens ?? 0, output: chunk.usage.completion_tokens ?? 0 },
          },
        ]
      : []),
  ]
}

const requestIdOf = (response: Response): string =>
  response.headers.get('x-oneapi-request-id') ?? response.headers.get('x-request-id') ?? ''

/** The relay answers failures as OpenAI does, the console's doors with an envelope. */
const refusal = async (response: Response): Promise<ApiError> => {
  const body = (await response.json().catch(() => ({}))) as {
    error?: { message?: string; code?: string; type?: string }
    message?: string
    code?: string
    params?: Envelope['params']
    request_id?: string
  }
  const message = body.error?.message ?? body.message
  if (response.status === 401 || !message) return httpError(response.status, { message: message ?? '' })
  const code = body.error?.code ?? body.code ?? `http_${response.status}`
  // An upstream may have codes that are named like ours.
  const isOurs = body.error === undefined || body.error.type === 'new_api_error'
  return new ApiError(isOurs ? errorIn(code, message, body.params) : message, {
    code,
    status: response.status,
    requestId: body.request_id ?? requestIdOf(response),
  })
}

export interface StreamListeners {
  readonly onPiece: (piece: Piece) => void
  /** The answer begins; the id names the call in the log. */
  readonly onStart?: (requestId: string) => void
}

/** Asks and hands over each piece of the answer; resolves at its end. Throws ApiError, or AbortError when stopped. */
export const streamChat = async (
  body: Record<string, unknown>,
  { onPiece, onStart }: StreamListeners,
  signal: AbortSignal,
): Promise<void> => {
  const response = await sendSignedIn('/pg/chat/completions', () => ({
    method: 'POST',
    credentials: 'same-origin',
    headers: { ...callHeaders(), 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
    signal,
  }))
  const isStream = response.headers.get('content-type')?.includes('event-stream') ?? false
  if (!response.ok || !response.body || !isStream) throw await refusal(response)
  onStart?.(requestIdOf(response))
  for await (const data of unbroken(splitEvents(response.body))) {
    if (data === '[DONE]') return
    for (const piece of piecesOf(data)) onPiece(piece)
  }
}
