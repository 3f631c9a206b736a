import { ApiError } from '../../../lib/api/api.ts'
import { useApiMessages } from '../../../lib/api/api-messages.ts'
import type { PlaygroundRequest } from '../calls/requests.ts'
import type { sendRequest } from '../calls/send.ts'
import { type ChatConversation, withChange } from './conversation.ts'
import { type AnswerPiece, type ChatMessage, completed, withPiece } from './message.ts'

export interface AnswerParts {
  readonly send: typeof sendRequest
  /** The charge of a request, once it is known. */
  readonly chargeOf: (requestId: string) => Promise<number | undefined>
  /** Calls back before the next picture is drawn. */
  readonly nextFrame: (act: () => void) => void
  readonly now: () => number
  /** The conversation that is open now. */
  readonly conversationId: () => string
  readonly change: (update: (before: ChatConversation) => ChatConversation) => void
  /** Called each time that pieces were drawn. */
  readonly onDrawn: () => void
  readonly onEnded: () => void
  /** Adds facts to an answer, also when another conversation has been opened since. */
  readonly note: (conversationId: string, id: string, facts: Partial<ChatMessage>) => Promise<void>
}

/** Answers on their way. */
export interface Answers {
  /** Makes the call of an answer; what comes is added to its message. */
  begin(reply: ChatMessage, request: PlaygroundRequest): void
  /** Draws at once what has come since the last frame. */
  draw(): void
  stop(): void
  /** Ids of the messages that are still growing. */
  running(): readonly string[]
}

const failureText = (error: unknown): string =>
  error instanceof ApiError ? error.message : useApiMessages.say('network')

/** Fetches answers, several at a time, and draws their pieces once per frame. */
export const createAnswers = (parts: AnswerParts): Answers => {
  const running = new Map<string, AbortController>()
  let waiting: { id: string; piece: AnswerPiece; elapsed: number }[] = []

  const draw = (): void => {
    if (waiting.length === 0) return
    const pieces = waiting
    waiting = []
    parts.change((before) =>
      pieces.reduce(
        (conversation, { id, piece, elapsed }) =>
          withChange(conversation, id, (message) => withPiece(message, piece, elapsed)),
        before,
      ),
    )
    parts.onDrawn()
  }

  const push = (id: string, piece: AnswerPiece, elapsed: number): void => {
    if (waiting.length === 0) parts.nextFrame(draw)
    waiting.push({ id, piece, elapsed })
  }

  const answer = async (reply: ChatMessage, request: PlaygroundRequest): Promise<void> => {
    const conversationId = parts.conversationId()
    const begun = parts.now()
    const elapsed = (): number => Math.round(parts.now() - begun)
    const controller = new AbortController()
    running.set(reply.id, controller)
    const settle = (update: (message: ChatMessage) => ChatMessage): void => {
      draw()
      parts.change((conversation) => withChange(conversation, reply.id, update))
    }
    let requestId = ''
    try {
      await parts.send(
        request,
        {
          onPiece: (piece) => push(reply.id, piece, elapsed()),
          onStart: (id) => {
            requestId = id
          },
        },
        controller.signal,
      )
      settle((message) => completed(message, elapsed()))
    } catch (error) {
      if (controller.signal.aborted) settle((message) => completed(message, elapsed(), { stopped: true }))
      else {
        if (error instanceof ApiError) requestId ||= error.requestId
        settle((message) => withPiece(message, { kind: 'error', text: failureText(error) }, elapsed()))
      }
    }
    running.delete(reply.id)
    parts.onEnded()
    await parts.note(conversationId, reply.id, { requestId })
    const quota = requestId === '' ? undefined : await parts.chargeOf(requestId)
    if (quota !== undefined) await parts.note(conversationId, reply.id, { quota })
  }

  return {
    begin: (reply, request) => void answer(reply, request).catch(() => undefined),
    draw,
    stop() {
      for (const controller of running.values()) controller.abort()
    },
    running: () => [...running.keys()],
  }
}
