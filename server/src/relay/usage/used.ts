import type { Price } from '../../billing/price.ts'
import { sellsPictures } from '../../billing/receipt-lines.ts'
import { drawnTokens } from '../../billing/tables/picture-tokens.ts'
import { completionTokens, type Measures, noUsage, promptTokens, type Usage, withStated } from '../../billing/usage.ts'
import { type Doubted, resolveDoubt, withDisputed } from '../../billing/usage-reports.ts'
import type { AnswerText } from '../../dialects/passthrough.ts'
import { type Extras, withStreamExtras } from '../../dialects/tools/tools-used.ts'
import type { RelayCall } from '../call.ts'
import type { Answered, Used } from '../exchange/exchange.ts'
import type { TokenCounter } from '../ports.ts'
import { largePrompt } from './body-survey.ts'
import { spokenCharacters } from './expected-tokens.ts'
import { searchUnitsOf } from './limits.ts'
import { deliveredPictures, wantedPictures } from './pictures.ts'
import { promptReaderOf } from './prompt-reader.ts'
import { spokenTokens } from './sound/spoken-sound.ts'
import { measuredSound } from './transcript-usage.ts'

/** The frame around one tool call in a stream. */
const tokensPerToolCall = 7

/** Report of an upstream, and the part of it that only a count can confirm. */
interface Stated {
  readonly usage: Usage | undefined
  readonly doubted: Doubted | undefined
  /** Figures that no table declares: they count also where the tokens beside them do not. */
  readonly unknown: Usage['unknown']
  /** Other models that worked on the answer: they count as well where the answer itself has no counts. */
  readonly models: Usage['models']
  /** Stated cost; it counts in the same way. */
  readonly cost: Usage['stated']
}

const statedIn = ({ answer }: Answered): Stated => {
  const doubted = answer.doubted()
  const usage = answer.usage()
  // Ignores reports of zeros, which some upstreams send instead of counting.
  const isNothing = doubted === undefined && usage !== undefined && promptTokens(usage) + completionTokens(usage) === 0
  const { unknown, models, stated: cost } = usage ?? noUsage
  // A chain of refused fallbacks lists its attempts: it is stated that nothing is billed.
  return { usage: isNothing && models?.served === undefined ? undefined : usage, doubted, unknown, models, cost }
}

/**
 * Usage of an answer: reported, or counted with the model's tokenizer, with the measures that the price has a rate for. `model` is the
 * answering one.
 */
export const usedBy = (
  answered: Answered,
  call: RelayCall,
  model: string,
  counter: TokenCounter,
  price: Pick<Price, 'basis' | 'rates' | 'pictures' | 'perCall'>,
): Used | Promise<Used> => {
  const stated = statedIn(answered)
  const used = knownUsage(answered, call, { stated, model, counter, price })
  const { unknown, models, cost } = stated
  if (unknown === undefined && cost === undefined && models === undefined) return used
  return changed(used, (each) => {
    const marked = unknown === undefined ? each.usage : { ...each.usage, unknown }
    return { ...each, usage: withStated(models === undefined ? marked : { ...marked, models }, cost) }
  })
}

const knownUsage = (
  answered: Answered,
  call: RelayCall,
  {
    stated,
    model,
    counter,
    price,
  }: {
    readonly stated: Stated
    readonly model: string
    readonly counter: TokenCounter
    readonly price: Pick<Price, 'basis' | 'rates' | 'pictures' | 'perCall'>
  },
): Used | Promise<Used> => {
  if (call.endpoint === 'images') return picturesOf(answered, call, { stated, model, price })
  if (call.endpoint === 'transcripts') return soundOf(stated, call, price)
  const used = withCountedPrompt(tokensUsedBy(answered, call, { stated, model, counter }), call, model, counter)
  if (call.endpoint === 'speech') {
    if (soldByCharacters(model, price)) return changed(used, spokenIn(call, price))
    return soldBySound(price) ? changed(used, soundIn(answered, call)) : used
  }
  const { calls } = answered.answer
  const { queries } = price.rates
  if (call.endpoint !== 'rerank' || (calls === 1 && queries === undefined)) return used
  return changed(used, searchesIn(call, calls, queries !== undefined))
}

type Change = (used: Used) => Used

const changed = (used: Used | Promise<Used>, change: Change): Used | Promise<Used> =>
  used instanceof Promise ? used.then(change) : change(used)

const withMeasures = (usage: Usage, measures: Measures): Usage => ({
  ...usage,
  measures: { ...usage.measures, ...measures },
})

/** True if speech is sold by characters: the request's text is exact. */
const soldByCharacters = (model: string, { rates }: Pick<Price, 'rates'>): boolean =>
  model.startsWith('tts') || rates.characters !== undefined

const spokenIn =
  (call: RelayCall, { rates }: Pick<Price, 'rates'>): Change =>
  ({ usage }) => ({
    usage: rates.characters === undefined ? usage : withMeasures(usage, { characters: spokenCharacters(call) }),
    estimated: false,
  })

/** True if a list has a price for the tokens of the sound. Operators' ratios are for the text alone. */
const soldBySound = ({ basis, rates }: Pick<Price, 'basis' | 'rates'>): boolean =>
  basis === 'dollars' && rates.output.digits > 0n

/** Sound alone states no tokens. */
const soundIn =
  ({ answer }: Answered, { body }: RelayCall): Change =>
  (used) => {
    if (completionTokens(used.usage) > 0) return used
    const output = spokenTokens(textOf(body), answer.soundSeconds?.())
    return { ...used, usage: { ...used.usage, output }, estimated: true }
  }

/**
 * Usage of speech that is billed by its text alone, known in advance: the result of `usedBy` for an answer of sound only. undefined
 * where the sound is billed.
 */
export const usedByText = async (
  call: RelayCall,
  model: string,
  counter: TokenCounter,
  price: Pick<Price, 'basis' | 'rates' | 'perCall'>,
): Promise<Usage | undefined> => {
  const byCharacters = soldByCharacters(model, price)
  if (!byCharacters && soldBySound(price) && price.perCall === undefined) return undefined
  const input = await counter.prompt(model, promptReaderOf(call), call.body, largePrompt(call))
  const used = { usage: { ...noUsage, input }, estimated: true }
  return (byCharacters ? spokenIn(call, price)(used) : used).usage
}

const textOf = ({ input }: RelayCall['body']): string => (typeof input === 'string' ? input : '')

/** Search units as a price per call or per query counts them. */
const searchesIn =
  (call: RelayCall, calls: number, isMeasured: boolean): Change =>
  ({ usage, estimated }) => {
    const units = searchUnitsOf(call)
    const isPlausible = calls <= units.most
    const count = isPlausible ? calls : units.expected
    const stated = isPlausible ? usage : withDisputed(usage, { search_units: calls })
    const counted = count === 1 ? stated : { ...stated, calls: count }
    return {
      usage: isMeasured ? withMeasures(counted, { queries: count }) : counted,
      estimated: estimated || !isPlausible,
    }
  }

/** Tokens that represent seconds are sound in a list's price; beside a price by time they would be billed twice. */
const asSound = (usage: Usage, { basis, rates }: Pick<Price, 'basis' | 'rates'>): Usage => {
  if (basis === 'ratio' || usage.measures?.duration === undefined) return usage
  const isSoldTwice = rates.duration !== undefined && rates.audio_input.digits > 0n
  return { ...usage, input: 0, audioInput: isSoldTwice ? 0 : usage.input + usage.audioInput }
}

const soundOf = (
  { usage, doubted }: Stated,
  call: RelayCall,
  price: Pick<Price, 'basis' | 'rates'>,
): Used | Promise<Used> => {
  const ofSound: Change = (used) => ({ ...used, usage: asSound(used.usage, price) })
  // Tokens do not price a model that is sold by seconds.
  const lacksTime = price.rates.duration !== undefined && usage?.measures?.duration === undefined
  if (doubted === undefined && usage !== undefined && !lacksTime) return ofSound({ usage, estimated: false })
  const measured = measuredSound(call.form ?? noForm)
  if (doubted !== undefined)
    return measured.then((sound) => ofSound(resolveDoubt({ best: usage, doubted }, sound.usage)))
  if (usage === undefined) return measured.then(ofSound)
  return measured.then((sound) => ({
    usage: withMeasures(usage, sound.usage.measures ?? {}),
    estimated: sound.estimated,
  }))
}

const noForm = { contentType: '', file: undefined, files: [] }

/** Reported tokens, and the number and kind of pictures: a fixed price is per picture. */
const picturesOf = (
  answered: Answered,
  call: RelayCall,
  {
    stated: { usage: reports, doubted },
    model,
    price,
  }: {
    readonly stated: Stated
    readonly model: string
    readonly price: Pick<Price, 'basis' | 'rates' | 'pictures' | 'perCall'>
  },
): Used => {
  const wanted = wantedPictures(call, model)
  const { json } = answered.answer
  const images = json === undefined ? wanted : deliveredPictures(wanted, json)
  // Implausible tokens are replaced by the number of pictures.
  const stated = doubted === undefined ? (reports ?? noUsage) : disputedTokens(doubted)
  // Ratios have a price for a picture; a list that sells pictures by their tokens needs some.
  const lacksTokens = price.basis === 'dollars' && price.perCall === undefined && !sellsPictures(price)
  const isCounted = lacksTokens && completionTokens(stated) === 0 && images.count > 0
  const tokens = isCounted ? { ...stated, more: { ...stated.more, image_output: drawnTokens(images) } } : stated
  const note = `, 大小 ${wanted.size}, 品质 ${wanted.quality}`
  return { usage: { ...tokens, images }, estimated: isCounted || doubted !== undefined, note }
}

const disputedTokens = (doubted: Usage): Usage => {
  const { disputed } = resolveDoubt({ best: undefined, doubted }, noUsage).usage
  return disputed === undefined ? noUsage : { ...noUsage, disputed }
}

const tokensUsedBy = (
  answered: Answered,
  call: RelayCall,
  { stated, model, counter }: { readonly stated: Stated; readonly model: string; readonly counter: TokenCounter },
): Used | Promise<Used> => {
  const { answer, end } = answered
  const { usage, doubted } = stated
  // True if there is text, but no reported output.
  const isWhole =
    doubted === undefined &&
    usage !== undefined &&
    (completionTokens(usage) > 0 || usage.models?.served !== undefined || isSilent(answer.output()))
  if (isWhole && end === 'done') return { usage, estimated: false }
  const extras = answer.extras()
  const isPartial = cutShort.has(end) || answer.isPartial()
  if (isWhole && !isPartial) return { usage: withStreamExtras(usage, extras), estimated: false }
  return counted(answered, { call, model }, counter, { ...stated, extras, isPartial })
}

const isSilent = ({ text, earlier }: AnswerText): boolean => text === '' && earlier === undefined

/** Ends caused by the gateway. */
const cutShort: ReadonlySet<string> = new Set(['stopped', 'out_of_quota', 'closed'])

/** Completes the usage with the model's tokenizer. */
const counted = async (
  { answer }: Answered,
  { call, model }: { readonly call: RelayCall; readonly model: string },
  counter: TokenCounter,
  { usage, doubted, extras, isPartial }: Stated & { readonly extras: Extras; readonly isPartial: boolean },
): Promise<Used> => {
  const { text, toolCalls, earlier } = answer.output()
  const [input, before, output] = await Promise.all([
    counter.prompt(model, promptReaderOf(call), call.body, largePrompt(call)),
    earlier ?? 0,
    text === '' ? 0 : counter.text(model, text),
  ])
  const written = before + output + toolCalls * tokensPerToolCall
  const resolved =
    doubted === undefined ? undefined : resolveDoubt({ best: usage, doubted }, { ...noUsage, input, output: written })
  const reported = resolved?.usage ?? usage ?? { ...noUsage, input }
  if (resolved !== undefined && !isPartial) return { ...resolved, usage: withStreamExtras(reported, extras) }
  // An interrupted stream has reported at most its input and the beginning of its output.
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
 * Counts the prompt with the model's tokenizer where only the output is reported, as Ollama does for a cached prompt; the output stays
 * as reported. The result is marked as estimated.
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
