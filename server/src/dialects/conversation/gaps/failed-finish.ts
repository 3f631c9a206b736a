import type { UpstreamError } from '../../dialect.ts'
import type { Answer, AnswerChoice, Finish, Part } from '../conversation.ts'
import type { StreamEvent } from '../stream-event.ts'

/** Another try may succeed: the same model writes its calls rightly most of the time. */
const failedStatus = 502

const errorOf = (explanation: string | undefined): UpstreamError => ({
  message: explanation ?? 'The model failed before it answered',
  type: 'server_error',
  code: 'model_failed',
  status: failedStatus,
})

/** True for parts that a client can use without the rest: a thought or a mark alone is no answer. */
const isUsable = (part: Part): boolean => {
  if (part.kind === 'text' || part.kind === 'refusal') return part.text.trim() !== ''
  return part.kind !== 'thinking' && part.kind !== 'opaque'
}

/** How an answer ends that failed after something usable. */
const endOf = (hasCalls: boolean): Finish => (hasCalls ? 'tool_calls' : 'stop')

/** The failure of an answer that holds nothing usable. */
export const failureIn = ({ choices }: Answer): UpstreamError | undefined => {
  const [first] = choices
  if (first === undefined || !choices.every(({ finish }) => finish === 'failed')) return undefined
  return choices.some(({ parts }) => parts.some(isUsable)) ? undefined : errorOf(first.explanation)
}

const ended = ({ explanation, ...choice }: AnswerChoice): AnswerChoice => {
  if (choice.finish !== 'failed') return explanation === undefined ? choice : { ...choice, explanation }
  return { ...choice, finish: endOf(choice.parts.some(({ kind }) => kind === 'tool_call')) }
}

/** An answer with usable contents, which ends where it failed. */
export const withoutFailures = (answer: Answer): Answer =>
  answer.choices.some(({ finish }) => finish === 'failed') ? { ...answer, choices: answer.choices.map(ended) } : answer

/** Does the same for the events of a stream; one per stream. */
export const openFailureFilter = (): ((event: StreamEvent) => StreamEvent) => {
  let isUsed = false
  let hasCalls = false
  return (event) => {
    switch (event.kind) {
      case 'text':
      case 'refusal':
        isUsed ||= event.text.trim() !== ''
        return event
      case 'tool_call':
        hasCalls = true
        isUsed = true
        return event
      case 'audio':
        isUsed = true
        return event
      case 'part':
        isUsed ||= isUsable(event.part)
        return event
      case 'finish':
        if (event.finish !== 'failed') return event
        return isUsed
          ? { kind: 'finish', choice: event.choice, finish: endOf(hasCalls) }
          : { kind: 'error', type: 'server_error', ...errorOf(event.explanation) }
      default:
        return event
    }
  }
}
