import { sendSignedIn } from '../../../lib/api/api.ts'
import { callHeaders } from '../../../lib/api/call-address.ts'
import { belowBase } from '../../../lib/url/page-paths.ts'
import type { AnswerPiece } from '../conversation/message.ts'
import { streamPieces } from '../conversation/stream.ts'
import { refusal, requestIdOf } from './refusal.ts'
import type { PlaygroundRequest } from './requests.ts'
import { wholePieces } from './whole-answer.ts'

export interface AnswerListeners {
  readonly onPiece: (piece: AnswerPiece) => void
  /** The answer begins; the id names the call in the log. */
  readonly onStart?: (requestId: string) => void
}

/** The playground's own address of a call: there a session stands in the place of a key. */
const ownAddress = (path: string): string => belowBase(path.replace(/^\/v1\//, '/pg/'))

/** Makes a call and hands over each piece of its answer; resolves at its end. Throws ApiError, or AbortError when stopped. */
export const sendRequest = async (
  { kind, path, body }: PlaygroundRequest,
  { onPiece, onStart }: AnswerListeners,
  signal: AbortSignal,
): Promise<void> => {
  const response = await sendSignedIn(ownAddress(path), () => ({
    method: 'POST',
    credentials: 'same-origin',
    headers: { ...callHeaders(), 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
    signal,
  }))
  const isStream = response.headers.get('content-type')?.includes('event-stream') ?? false
  if (!response.ok || !response.body || (kind === 'chat' && !isStream)) throw await refusal(response)
  onStart?.(requestIdOf(response))
  if (kind === 'chat') for await (const piece of streamPieces(response.body)) onPiece(piece)
  else for (const piece of await wholePieces(kind, response)) onPiece(piece)
}
