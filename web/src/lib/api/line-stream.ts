import type { Callable } from 'virtual:contract'
import { requestFile } from '../download.ts'
import { unreached } from './api.ts'
import type { LooseParts } from './call-address.ts'
import { lookForServer } from './connection.ts'

/** Reads an answer that comes piece by piece. Throws ApiError where the line breaks meanwhile. */
export async function* unbroken<Piece>(pieces: AsyncIterable<Piece>): AsyncGenerator<Piece> {
  try {
    yield* pieces
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    void lookForServer()
    throw unreached()
  }
}

/** The lines of a byte stream that are not empty, however the network cut it. */
async function* splitLines(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let rest = ''
  try {
    for (;;) {
      const { value, done } = await reader.read()
      rest += done ? `${decoder.decode()}\n` : decoder.decode(value, { stream: true })
      const lines = rest.split('\n')
      rest = lines.pop() ?? ''
      yield* lines.filter((line) => line.trim() !== '')
      if (done) return
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

/** Calls an endpoint that answers with a JSON object per line, and hands over each as it comes. Throws ApiError. */
export const callLines = async <Line>(
  endpoint: Callable,
  parts: LooseParts,
  { signal, onLine }: { signal: AbortSignal; onLine: (line: Line) => void },
): Promise<void> => {
  const { body } = await requestFile(endpoint, parts, signal)
  // The endpoint's own words for its lines are checked where they are written.
  for await (const line of body ? unbroken(splitLines(body)) : []) onLine(JSON.parse(line) as Line)
}

/** The `data` of each server-sent event of a byte stream, however the network cut it. */
export async function* splitEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let rest = ''
  try {
    for (;;) {
      const { value, done } = await reader.read()
      rest += done ? `${decoder.decode()}\n\n` : decoder.decode(value, { stream: true })
      const events = rest.split(/\r?\n\r?\n/)
      rest = events.pop() ?? ''
      for (const event of events) {
        const data = event
          .split(/\r?\n/)
          .filter((line) => line.startsWith('data:'))
          .map((line) => line.slice(5).replace(/^ /, ''))
        if (data.length > 0) yield data.join('\n')
      }
      if (done) return
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}
