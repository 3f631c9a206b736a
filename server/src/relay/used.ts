import { completionTokens, noUsage, promptTokens, type Usage } from '../billing/usage.ts'
import type { Answer } from '../dialects/conversation.ts'
import { type Extras, noExtras, withSeen } from '../dialects/tools-used.ts'
import type { Said } from './answer-text.ts'
import type { RelayCall } from './call.ts'
import type { Outcome } from './outcome.ts'
import { deliveredPictures, wantedPictures } from './pictures.ts'
import type { TokenCounter } from './ports.ts'
import { extrasOfAnswer } from './seen-tools.ts'
import { measuredSound } from './transcripts.ts'
import { wordsOf } from './words.ts'

/** What an answer cost in tokens; `estimated` when nobody reported it. */
export interface Used {
  readonly usage: Usage
  readonly estimated: boolean
  /** What the log says besides of what was made. */
  readonly note?: string
}

/** The frame around one tool call in a stream (relay reference §8.12). */
const tokensPerToolCall = 7

type Answered = Exclude<Outcome, { kind: 'refused' | 'gone' }>

const reported = (outcome: Answered, call: RelayCall): Usage | undefined => {
  if (outcome.kind === 'streamed') return outcome.pump.usage()
  if (outcome.retold !== undefined) return outcome.retold.usage
  return outcome.answer === undefined ? wordsOf(call.endpoint).usage(outcome.json) : outcome.answer.usage
}

const most = 1_000_000_000

/** Zeros are what some upstreams write who do not count, and nobody uses billions: both state nothing (§8.12, M-12). */
const stated = (outcome: Answered, call: RelayCall): Usage | undefined => {
  const usage = reported(outcome, call)
  if (usage === undefined) return undefined
  const tokens = promptTokens(usage) + completionTokens(usage)
  return tokens > 0 && tokens <= most ? usage : undefined
}

/** Something was said, but no token of it reported (relay reference §8.12). */
const missesOutput = (usage: Usage, outcome: Answered, call: RelayCall): boolean =>
  completionTokens(usage) === 0 && saidBy(outcome, call).text !== ''

/** What an answer said, as far as it came. */
export const saidBy = (outcome: Answered, call: RelayCall): Said => {
  if (outcome.kind === 'streamed') return outcome.pump.said()
  const { answer, json } = outcome
  return { text: answer === undefined ? wordsOf(call.endpoint).said(json).text : textOfAnswer(answer), toolCalls: 0 }
}

const textOfAnswer = ({ choices }: Answer): string =>
  choices
    .flatMap(({ parts }) => parts)
    .map((part) => {
      if (part.kind === 'tool_call') return part.name + part.arguments
      return 'text' in part ? part.text : ''
    })
    .join('')

/** Tools and tier of an answer that does not state them itself, or was cut short before it did. */
const seenIn = (outcome: Answered, call: RelayCall): Extras => {
  if (outcome.kind === 'streamed') return outcome.pump.extras()
  if (outcome.retold !== undefined) return noExtras
  return outcome.answer === undefined ? wordsOf(call.endpoint).extras(outcome.json) : extrasOfAnswer(outcome.answer)
}

/** As the upstream reported it, or counted with the model's tokenizer. */
export const usedBy = (
  outcome: Answered,
  call: RelayCall,
  model: string,
  counter: TokenCounter,
): Used | Promise<Used> => {
  if (call.endpoint === 'images') return picturesOf(outcome, call, model)
  if (call.endpoint === 'transcripts') return soundOf(outcome, call)
  const used = tokensUsedBy(outcome, call, model, counter)
  if (call.endpoint === 'speech' && model.startsWith('tts')) return used instanceof Promise ? used.then(exact) : used
  const calls = outcome.kind === 'body' ? (outcome.retold?.calls ?? 1) : 1
  if (calls === 1) return used
  const times = ({ usage, estimated }: Used): Used => ({ usage: { ...usage, calls }, estimated })
  return used instanceof Promise ? used.then(times) : times(used)
}

/** These models are paid for by the character, and what was asked is what was spoken (relay reference §8.8). */
const exact = ({ usage }: Used): Used => ({ usage, estimated: false })

const soundOf = (outcome: Answered, call: RelayCall): Used | Promise<Used> => {
  const usage = stated(outcome, call)
  return usage === undefined ? measuredSound(call.form ?? noForm) : { usage, estimated: false }
}

const noForm = { contentType: '', file: undefined }

/** Tokens where the upstream reports them, and always how many pictures of which kind: a fixed price is one picture's. */
const picturesOf = (outcome: Answered, call: RelayCall, model: string): Used => {
  const wanted = wantedPictures(call, model)
  const images = outcome.kind === 'body' ? deliveredPictures(wanted, outcome.json) : wanted
  const usage = { ...(stated(outcome, call) ?? noUsage), images: { count: images.count, ratio: images.ratio } }
  return { usage, estimated: false, note: `, 大小 ${wanted.size}, 品质 ${wanted.quality}` }
}

const tokensUsedBy = (
  outcome: Answered,
  call: RelayCall,
  model: string,
  counter: TokenCounter,
): Used | Promise<Used> => {
  const usage = stated(outcome, call)
  const end = outcome.kind === 'streamed' ? outcome.end : 'done'
  const isWhole = usage !== undefined && !missesOutput(usage, outcome, call)
  if (isWhole && end === 'done') return { usage, estimated: false }
  const extras = seenIn(outcome, call)
  const isPartial = outcome.kind === 'streamed' && (cutShort.has(end) || outcome.pump.isPartial())
  if (isWhole && !isPartial) return { usage: withSeen(usage, extras), estimated: false }
  return counted(outcome, call, model, counter, { usage, extras })
}

/** Ends that this server put to an answer. */
const cutShort: ReadonlySet<string> = new Set(['stopped', 'out_of_quota', 'closed'])

/** With the model's tokenizer, as far as the upstream did not say. */
const counted = async (
  outcome: Answered,
  call: RelayCall,
  model: string,
  counter: TokenCounter,
  { usage, extras }: { usage: Usage | undefined; extras: Extras },
): Promise<Used> => {
  const { text, toolCalls } = saidBy(outcome, call)
  const [input, output] = await Promise.all([
    counter.prompt(model, call.path, call.body),
    text === '' ? 0 : counter.text(model, text),
  ])
  const spoken = output + toolCalls * tokensPerToolCall
  // A stream that was cut short has reported its input at most, and the beginning of its output.
  const known = usage ?? { ...noUsage, input }
  const whole = { ...known, output: Math.max(known.output, spoken) }
  return { usage: withSeen(whole, extras), estimated: true }
}
