import { AppError } from '../../lib/app-error.ts'
import { boundError, type ExceededBound, type JsonBounds } from '../../lib/json/json-bounds.ts'
import { createSerialQueue } from '../../lib/serial-queue.ts'
import { openRequestThread, ownMemory } from '../../lib/workers/request-thread.ts'
import type { BodySurvey } from '../../relay/call.ts'
import { addBatch, type ListBatch } from './batches.ts'
import { malformed, type ParsedBody, withoutMark } from './parsed-body.ts'

/** Parameters of the survey that the thread makes of a body. */
export interface BodyQuestion {
  /** Module of the prompt reader (`PromptReader.module`). */
  readonly reader: string
  /** Model that the path names; empty where the body names it. */
  readonly pathModel: string
  /** Lower-cased words to look for. */
  readonly words: readonly string[]
  readonly bounds: JsonBounds
}

export interface ParseRequest extends BodyQuestion {
  readonly kind: 'parse'
  /** Transferred to the thread, and back with the body. */
  readonly bytes: ArrayBuffer
  /** Byte at which the JSON text begins. */
  readonly start: number
}

/** `next` requests the next batch of the body that was parsed last. */
export type ThreadRequest = ParseRequest | { readonly kind: 'next' }

export type ParseAnswer =
  | {
      readonly kind: 'parsed'
      readonly bytes: ArrayBuffer
      readonly body: Record<string, unknown>
      readonly batches: number
      readonly survey: BodySurvey
    }
  | { readonly kind: 'exceeded'; readonly exceeded: ExceededBound }
  | { readonly kind: 'malformed'; readonly detail: string }

export type BatchAnswer = ListBatch

/** Parses large bodies in a thread of its own, one after the other. */
export interface BodyParser {
  /**
   * The memory of `bytes` must not be used afterwards. `isWanted` is called when it is the body's turn.
   * Throws AppError: `invalid_request_body`, `body_too_complex`, `client_gone`, and `internal_error` when the thread broke.
   */
  parse(bytes: Buffer, question: BodyQuestion, isWanted: () => boolean): Promise<ParsedBody>
  close(): Promise<void>
}

const script = new URL('./body-thread.ts', import.meta.url)

export const openBodyParser = (): BodyParser => {
  const queue = createSerialQueue()
  const thread = openRequestThread(script, { name: 'bodies' })
  const ask = <Answer>(request: ThreadRequest, memory?: readonly ArrayBuffer[]): Promise<Answer> =>
    thread.ask(request, memory)

  const parsed = async (bytes: Buffer, question: BodyQuestion): Promise<ParsedBody> => {
    const memory = ownMemory(bytes)
    const start = bytes.length - withoutMark(bytes).length
    const answer = await ask<ParseAnswer>({ kind: 'parse', bytes: memory, start, ...question }, [memory])
    if (answer.kind === 'exceeded') throw boundError(answer.exceeded)
    if (answer.kind === 'malformed') throw malformed(answer.detail)
    const { body } = answer
    for (let left = answer.batches; left > 0; left -= 1) addBatch(body, await ask<BatchAnswer>({ kind: 'next' }))
    // The same list as the caller's, by which it knows that these words were looked for.
    const survey = { ...answer.survey, words: question.words }
    return { raw: Buffer.from(answer.bytes, start), body, text: undefined, survey }
  }

  return {
    parse(bytes, question, isWanted) {
      return queue.run(async () => {
        if (!isWanted()) throw new AppError('client_gone')
        return parsed(bytes, question)
      })
    },
    close: () => thread.close(),
  }
}
