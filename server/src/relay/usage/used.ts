import { completionTokens, noUsage, promptTokens, type Usage } from '../../billing/usage.ts'
import { resolveDoubt, withDisputed } from '../../billing/usage-reports.ts'
import { type Extras, withStreamExtras } from '../../dialects/tools/tools-used.ts'
import type { RelayCall } from '../call.ts'
import type { Answered, Used } from '../exchange/exchange.ts'
import type { TokenCounter } from '../ports.ts'
import { largePrompt } from './body-survey.ts'
import { searchUnitsOf } from './limits.ts'
import { deliveredPictures, wantedPictures } from './pictures.ts'
import { promptReaderOf } from './prompt-reader.ts'
import { measuredSound } from './transcript-usage.ts'

/** The frame around one tool call in a stream. */
const tokensPerToolCall = 7

/** What an upstream reported, and what of it only a count can decide about. */
interface Stated {
  readonly usage: Usage | undefined
  readonly doubted: Usage | undefined
}

const statedIn = ({ answer }: Answered): Stated => {
  const doubted = answer.doubted()
  const usage = answer.usage()
  // Zeros are what some upstreams write that do not count: they report nothing.
  const isNothing = doubted === undefined && usage !== undefined && promptTokens(usage) + completionTokens(usage) === 0
  return { usage: isNothing ? undefined : usage, doubted }
}

/** As the upstream reported it, or counted with the model's tokenizer. `model` is the one that answered. */
export const usedBy = (
  answered: Answered,
  call: RelayCall,
  model: string,
  counter: TokenCounter,
): Used | Promise<Used> => {
  if (call.endpoint === 'images') return picturesOf(answered, call, model)
  if (call.endpoint === 'transcripts') return soundOf(answered, call)
  const used = withCountedPrompt(tokensUsedBy(answered, call, model, counter), call, model, counter)
  if (call.endpoint === 'speech' && model.startsWith('tts')) return used instanceof Promise ? used.then(exact) : used
  const { calls } = answered.answer
  if (calls === 1) return used
  const units = searchUnitsOf(call)
  const times = ({ usage, estimated }: Used): Used =>
    calls <= units.most
      ? { usage: { ...usage, calls }, estimated }
      : { usage: { ...withDisputed(usage, { search_units: calls }), calls: units.expected }, estimated: true }
  return used instanceof Promise ? used.then(times) : times(used)
}

/** These models are paid for by the character: the text of the request is what was spoken. */
const exact = ({ usage }: Used): Used => ({ usage, estimated: false })

const soundOf = (answered: Answered, call: RelayCall): Used | Promise<Used> => {
  const { usage, doubted } = statedIn(answered)
  if (doubted === undefined && usage !== undefined) return { usage, estimated: false }
  const measured = measuredSound(call.form ?? noForm)
  return doubted === undefined
    ? measured
    : measured.then((sound) => resolveDoubt({ best: usage, doubted }, sound.usage))
}

const noForm = { contentType: '', file: undefined }

/** Tokens where the upstream reports them, and always how many pictures of which kind: a fixed price is one picture's. */
const picturesOf = (answered: Answered, call: RelayCall, model: string): Used => {
  const wanted = wantedPictures(call, model)
  const { json } = answered.answer
  const images = json === undefined ? wanted : deliveredPictures(wanted, json)
  const { usage: reports, doubted } = statedIn(answered)
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
  answered: Answered,
  call: RelayCall,
  model: string,
  counter: TokenCounter,
): Used | Promise<Used> => {
  const { answer, end } = answered
  const { usage, doubted } = statedIn(answered)
  // Something was written, but no token of it reported.
  const isWhole =
    doubted === undefined && usage !== undefined && (completionTokens(usage) > 0 || answer.output().text === '')
  if (isWhole && end === 'done') return { usage, estimated: false }
  const extras = answer.extras()
  const isPartial = cutShort.has(end) || answer.isPartial()
  if (isWhole && !isPartial) return { usage: withStreamExtras(usage, extras), estimated: false }
  return counted(answered, call, model, counter, { usage, doubted, extras, isPartial })
}

/** Ends that this server put to an answer. */
const cutShort: ReadonlySet<string> = new Set(['stopped', 'out_of_quota', 'closed'])

/** With the model's tokenizer, as far as the upstream did not say. */
const counted = async (
  { answer }: Answered,
  call: RelayCall,
  model: string,
  counter: TokenCounter,
  { usage, doubted, extras, isPartial }: Stated & { readonly extras: Extras; readonly isPartial: boolean },
): Promise<Used> => {
  const { text, toolCalls } = answer.output()
  const [input, output] = await Promise.all([
    counter.prompt(model, promptReaderOf(call), call.body, largePrompt(call)),
    text === '' ? 0 : counter.text(model, text),
  ])
  const written = output + toolCalls * tokensPerToolCall
  const resolved =
    doubted === undefined ? undefined : resolveDoubt({ best: usage, doubted }, { ...noUsage, input, output: written })
  const reported = resolved?.usage ?? usage ?? { ...noUsage, input }
  if (resolved !== undefined && !isPartial) return { ...resolved, usage: withStreamExtras(reported, extras) }
  // A stream that was cut short has reported its input at most, and the beginning of its output.
  const whole = { ...reported, output: Math.max(reported.output, written) }
  return { usage: withStreamExtras(whole, extras), estimated: true }
}

/** True if the answer cannot come from an empty prompt. */
const needsPrompt = ({ endpoint, dialect }: RelayCall): boolean => dialect !== undefined || endpoint === 'completions'

const lacksPrompt = ({ usage }: Used): boolean => promptTokens(usage) === 0 && completionTokens(usage) > 0

const withPrompt = async (used: Used, call: RelayCall, model: string, counter: TokenCounter): Promise<Used> => {
  const input = await counter.prompt(model, promptReaderOf(call), call.body, largePrompt(call))
  return { ...used, usage: { ...used.usage, input }, estimated: true }
}

/**
 * Counts the prompt with the model's tokenizer where only the output is reported, as Ollama does for a prompt that it had cached;
 * the output stays as it was reported. The result is marked as estimated.
 */
const withCountedPrompt = (
  used: Used | Promise<Used>,
  call: RelayCall,
  model: string,
  counter: TokenCounter,
): Used | Promise<Used> => {
  if (!needsPrompt(call)) return used
  if (used instanceof Promise)
    return used.then((late) => (lacksPrompt(late) ? withPrompt(late, call, model, counter) : late))
  return lacksPrompt(used) ? withPrompt(used, call, model, counter) : used
}
