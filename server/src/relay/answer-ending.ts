import { AppError } from '../lib/app-error.ts'
import type { Client } from './call.ts'
import type { Answered } from './exchange/exchange.ts'
import { type CallFailure, failureOf } from './failure.ts'
import type { Charged } from './records/charged.ts'
import type { AnswerCheck } from './stream/answer-guard.ts'

/** How an answer ended, as it is recorded, and the failure that its client gets. */
export type AnswerEnding = Pick<Charged, 'end' | 'cause' | 'blockedWord'> & {
  readonly failure: CallFailure | undefined
}

/** The ending of an answered call; blocked words of whole answers are searched here. */
export const endingOf = (client: Client, { answer, end, failure }: Answered, check: AnswerCheck): AnswerEnding => {
  // Words of a stream were looked for while it ran.
  const blockedWord = answer.begun || check.words.length > 0 ? answer.blockedWord(check.words) : undefined
  if (answer.begun) return { end, cause: failure?.cause, blockedWord, failure }
  if (blockedWord === undefined || !check.stop) {
    return { end: client.gone ? 'client_gone' : 'done', cause: undefined, blockedWord, failure: undefined }
  }
  const stopped = failureOf(new AppError('sensitive_words_in_answer', { details: { word: blockedWord } }))
  return { end: 'stopped', cause: stopped.cause, blockedWord, failure: stopped }
}
