import { splitEvents, unbroken } from '../../../lib/api/line-stream.ts'
import type { AnswerPiece } from './message.ts'

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

const piecesOf = (data: string): AnswerPiece[] => {
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

/** The pieces of a streamed answer, up to its end mark. Throws ApiError where the line breaks. */
export async function* streamPieces(body: ReadableStream<Uint8Array>): AsyncGenerator<AnswerPiece> {
  for await (const data of unbroken(splitEvents(body))) {
    if (data === '[DONE]') return
    yield* piecesOf(data)
  }
}
