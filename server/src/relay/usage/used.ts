import { completionTokens, noUsage, promptTokens, type Usage } from '../../billing/usage.ts'
import { resolveDoubt, UsageReports, withDisputed } from '../../billing/usage-reports.ts'
import type { Answer } from '../../dialects/conversation/conversation.ts'
import type { AnswerText } from '../../dialects/passthrough.ts'
import { type Extras, noExtras, withSeen } from '../../dialects/tools/tools-used.ts'
import type { RelayCall } from '../call.ts'
import type { Outcome } from '../exchange/outcome.ts'
import { passthroughOf } from '../exchange/passthrough.ts'
import { measuredSound } from '../media/transcripts.ts'
import type { TokenCounter } from '../ports.ts'
import type { Used } from './billed-usage.ts'
import { largePrompt } from './body-survey.ts'
import { searchUnitsOf, usageLimits } from './limits.ts'
import { withCountedPrompt } from './missing-prompt.ts'
import { deliveredPictures, wantedPictures } from './pictures.ts'
import { extrasOfAnswer } from './seen-tools.ts'

/** The frame around one tool call in a stream. */
const tokensPerToolCall = 7

type Answered = Exclude<Outcome, { kind: 'refused' | 'gone' }>

const reported = (outcome: Extract<Answered, { kind: 'body' }>, call: RelayCall): Usage | undefined => {
  if (outcome.retold !== undefined) return outcome.retold.usage
  return outcome.answer === undefined ? passthroughOf(call).usage(outcome.json) : outcome.answer.usage
}

/** What an upstream reported, and what of it only a count can decide about. */
interface Stated {
  readonly usage: Usage | undefined
  readonly doubted: Usage | undefined
}

/** Zeros are what some upstreams write that do not count: they report nothing. */
const unlessZero = (usage: Usage | undefined): Usage | undefined =>
  usage !== undefined && promptTokens(usage) + completionTokens(usage) > 0 ? usage : undefined

const statedOf = (best: Usage | undefined, doubted: Usage | undefined): Stated => ({
  usage: doubted === undefined ? unlessZero(best) : best,
  doubted,
})

const stated = (outcome: Answered, call: RelayCall, model: string): Stated => {
  if (outcome.kind === 'streamed') {
    const { pump } = outcome
    return statedOf(pump.usage(), pump.doubted())
  }
  const reports = new UsageReports(usageLimits(call, model))
  reports.note(reported(outcome, call))
  return statedOf(reports.best, reports.doubted)
}

/** Something was said, but no token of it reported. */
const missesOutput = (usage: Usage, outcome: Answered, call: RelayCall): boolean =>
  completionTokens(usage) === 0 && saidBy(outcome, call).text !== ''

/** What an answer said, as far as it came. */
export const saidBy = (outcome: Answered, call: RelayCall): AnswerText => {
  if (outcome.kind === 'streamed') return outcome.pump.said()
  const { answer, json } = outcome
  return { text: answer === undefined ? passthroughOf(call).textOf(json).text : textOfAnswer(answer), toolCalls: 0 }
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
  return outcome.answer === undefined ? passthroughOf(call).extras(outcome.json) : extrasOfAnswer(outcome.answer)
}

/** As the upstream reported it, or counted with the model's tokenizer. */
export const usedBy = (
  outcome: Answered,
  call: RelayCall,
  model: string,
  counter: TokenCounter,
): Used | Promise<Used> => {
  if (call.endpoint === 'images') return picturesOf(outcome, call, model)
  if (call.endpoint === 'transcripts') return soundOf(outcome, call, model)
  const used = withCountedPrompt(tokensUsedBy(outcome, call, model, counter), call, model, counter)
  if (call.endpoint === 'speech' && model.startsWith('tts')) return used instanceof Promise ? used.then(exact) : used
  const calls = outcome.kind === 'body' ? (outcome.retold?.calls ?? 1) : 1
  if (calls === 1) return used
  const units = searchUnitsOf(call)
  const times = ({ usage, estimated }: Used): Used =>
    calls <= units.most
      ? { usage: { ...usage, calls }, estimated }
      : { usage: { ...withDisputed(usage, { search_units: calls }), calls: units.expected }, estimated: true }
  return used instanceof Promise ? used.then(times) : times(used)
}

/** These models are paid for by the character, and what was asked is what was spoken. */
const exact = ({ usage }: Used): Used => ({ usage, estimated: false })

const soundOf = (outcome: Answered, call: RelayCall, model: string): Used | Promise<Used> => {
  const { usage, doubted } = stated(outcome, call, model)
  if (doubted === undefined && usage !== undefined) return { usage, estimated: false }
  const measured = measuredSound(call.form ?? noForm)
  return doubted === undefined
    ? measured
    : measured.then((sound) => resolveDoubt({ best: usage, doubted }, sound.usage))
}

const noForm = { contentType: '', file: undefined }

/** Tokens where the upstream reports them, and always how many pictures of which kind: a fixed price is one picture's. */
const picturesOf = (outcome: Answered, call: RelayCall, model: string): Used => {
  const wanted = wantedPictures(call, model)
  const images = outcome.kind === 'body' ? deliveredPictures(wanted, outcome.json) : wanted
  const { usage: reports, doubted } = stated(outcome, call, model)
  // Where the tokens cannot be, the number of pictures is what is left.
  const tokens = doubted === undefined ? (reports ?? noUsage) : disputedTokens(doubted)
  const usage = { ...tokens, images: { count: images.count, ratio: images.ratio } }
  return { usage, estimated: doubted !== undefined, note: `, 大小 ${wanted.size}, 品质 ${wanted.quality}` }
}

const disputedTokens = (doubted: Usage): Usage => {
  const { disputed } = resolveDoubt({ best: undefined, doubted }, noUsage).usage
  return disputed === undefined ? noUsage : { ...noUsage, disputed }
}

const tokensUsedBy = (
  outcome: Answered,
  call: RelayCall,
  model: string,
  counter: TokenCounter,
): Used | Promise<Used> => {
  const { usage, doubted } = stated(outcome, call, model)
  const end = outcome.kind === 'streamed' ? outcome.end : 'done'
  const isWhole = doubted === undefined && usage !== undefined && !missesOutput(usage, outcome, call)
  if (isWhole && end === 'done') return { usage, estimated: false }
  const extras = seenIn(outcome, call)
  const isPartial = outcome.kind === 'streamed' && (cutShort.has(end) || outcome.pump.isPartial())
  if (isWhole && !isPartial) return { usage: withSeen(usage, extras), estimated: false }
  return counted(outcome, call, model, counter, { usage, doubted, extras, isPartial })
}

/** Ends that this server put to an answer. */
const cutShort: ReadonlySet<string> = new Set(['stopped', 'out_of_quota', 'closed'])

/** With the model's tokenizer, as far as the upstream did not say. */
const counted = async (
  outcome: Answered,
  call: RelayCall,
  model: string,
  counter: TokenCounter,
  { usage, doubted, extras, isPartial }: Stated & { readonly extras: Extras; readonly isPartial: boolean },
): Promise<Used> => {
  const { text, toolCalls } = saidBy(outcome, call)
  const [input, output] = await Promise.all([
    counter.prompt(model, call.path, call.body, largePrompt(call)),
    text === '' ? 0 : counter.text(model, text),
  ])
  const spoken = output + toolCalls * tokensPerToolCall
  const resolved =
    doubted === undefined ? undefined : resolveDoubt({ best: usage, doubted }, { ...noUsage, input, output: spoken })
  const known = resolved?.usage ?? usage ?? { ...noUsage, input }
  if (resolved !== undefined && !isPartial) return { ...resolved, usage: withSeen(known, extras) }
  // A stream that was cut short has reported its input at most, and the beginning of its output.
  const whole = { ...known, output: Math.max(known.output, spoken) }
  return { usage: withSeen(whole, extras), estimated: true }
}
