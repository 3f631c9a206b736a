import { beforeAll, describe, expect, it } from 'vitest'
import {
  hasSecondSource as isThere,
  type SecondPrice,
  secondSource as second,
} from '../../../test/support/billing/second-source.ts'
import { toNumber } from '../decimal.ts'
import { completeRates } from '../overrides/rates-of-list.ts'
import { type Kind, parentOf } from '../price.ts'
import type { ListBook, ListRates } from './list-price.ts'
import { openShippedBook } from './shipped-book.ts'

const at = Date.UTC(2026, 10, 24, 12)

/** Maker → providers of the second source, and what it writes before their ids. */
const makers = {
  openai: { providers: ['openai', 'text-completion-openai'], prefix: 'openai/' },
  anthropic: { providers: ['anthropic'], prefix: 'anthropic/' },
  gemini: { providers: ['gemini'], prefix: 'gemini/' },
  deepseek: { providers: ['deepseek'], prefix: 'deepseek/' },
  xai: { providers: ['xai'], prefix: 'xai/' },
  bedrock: { providers: ['bedrock', 'bedrock_converse'], prefix: '' },
  azure: { providers: ['azure'], prefix: 'azure/' },
}

/** Ids as the provider lists them: a slash names a region, a size or a quality in the second source, never a model. */
const listedBy = ({ providers, prefix }: (typeof makers)[keyof typeof makers]): (readonly [string, SecondPrice])[] =>
  Object.entries(second)
    .filter(([, { provider = '' }]) => providers.includes(provider))
    .map(([name, price]) => [name.startsWith(prefix) ? name.slice(prefix.length) : name, price] as const)
    .filter(([id]) => !id.includes('/'))

/** Reason → current models without a price. */
const withoutPrice: Readonly<Record<string, readonly string[]>> = {
  'They are sold by the seconds of a session, which realtime sessions do not count.': [
    'gpt-live-1',
    'gpt-live-transcribe',
    'gpt-realtime-translate',
    'gpt-realtime-whisper',
    'grok-voice-2.0',
    'grok-voice-3.0',
  ],
  'They are sold by the seconds of videos that are sent, which no answer states.': [
    'eu.twelvelabs.marengo-embed-2-7-v1:0',
    'eu.twelvelabs.marengo-embed-3-0-v1:0',
    'eu.twelvelabs.pegasus-1-2-v1:0',
    'global.twelvelabs.pegasus-1-2-v1:0',
    'global.twelvelabs.pegasus-1-5-v1:0',
    'twelvelabs.marengo-embed-2-7-v1:0',
    'twelvelabs.marengo-embed-3-0-v1:0',
    'twelvelabs.pegasus-1-2-v1:0',
    'twelvelabs.pegasus-1-5-v1:0',
    'us.twelvelabs.marengo-embed-2-7-v1:0',
    'us.twelvelabs.marengo-embed-3-0-v1:0',
    'us.twelvelabs.pegasus-1-2-v1:0',
    'us.twelvelabs.pegasus-1-5-v1:0',
  ],
  'Azure bills the model that the router chose, too.': ['model-router'],
  'Azure retired it.': ['gpt-4-turbo-vision-preview', 'mistral-large-2402'],
  'These are no models.': ['container', 'search'],
}

const kindOf: readonly (readonly [string, Kind, number])[] = [
  ['input_cost_per_token', 'input', 1e6],
  ['output_cost_per_token', 'output', 1e6],
  ['cache_read_input_token_cost', 'cache_read', 1e6],
  ['input_cost_per_audio_token', 'audio_input', 1e6],
  ['output_cost_per_audio_token', 'audio_output', 1e6],
  ['input_cost_per_image_token', 'image_input', 1e6],
  ['output_cost_per_image_token', 'image_output', 1e6],
  ['cache_read_input_audio_token_cost', 'audio_cache_read', 1e6],
  ['cache_read_input_image_token_cost', 'image_cache_read', 1e6],
  ['explicit_cache_read_input_token_cost', 'explicit_cache_read', 1e6],
  ['input_cost_per_character', 'characters', 1e6],
  ['input_cost_per_query', 'queries', 1e6],
]

const isExtra = (kind: Kind): kind is keyof typeof parentOf => Object.hasOwn(parentOf, kind)

const rateOf = (rates: ListRates, kind: Kind): number => {
  const complete = completeRates(rates)
  const rate = complete[kind] ?? (isExtra(kind) ? complete[parentOf[kind]] : undefined)
  return rate === undefined ? 0 : Number(toNumber(rate).toPrecision(8))
}

/** Other uses than text: `kind ours/theirs` where the two differ. */
const differences = (rates: ListRates, price: SecondPrice): string[] =>
  kindOf.flatMap(([name, kind, factor]) => {
    const stated = price[name]
    if (typeof stated !== 'number') return []
    const theirs = Number((stated * factor).toPrecision(8))
    const ours = rateOf(rates, kind)
    return Math.abs(ours - theirs) > 1e-6 * Math.max(1, ours) ? [`${kind} ${ours}/${theirs}`] : []
  })

const textModes: ReadonlySet<unknown> = new Set(['chat', 'completion', 'responses'])

/** Reason → models whose shipped price differs from the second source. */
const judged: Readonly<Record<string, readonly string[]>> = {
  'OpenAI’s page says 12 dollars for sound.': [
    'gpt-4o-mini-tts: output 12/10',
    'gpt-4o-mini-tts-2025-03-20: output 12/10',
    'gpt-4o-mini-tts-2025-12-15: output 12/10',
  ],
  'Azure asks a tenth more in some regions, or more for sound.': [
    'gpt-4o-mini-transcribe: audio_input 1.25/3',
    'gpt-4o-transcribe: audio_input 2.5/6',
    'gpt-4o-transcribe-diarize: audio_input 2.5/6',
    'text-embedding-3-large: input 0.13/0.143',
    'text-embedding-3-small: input 0.02/0.022',
    'text-embedding-ada-002: input 0.1/0.11',
    'tts-1-hd: characters 30/33',
  ],
  'OpenAI had a model of this name that completed texts.': ['ada: input 0.4/0.11', 'ada: output 0.4/0'],
  'It was an experiment that answered free of charge; the name means the model of today.': [
    'gemini-2.0-flash-exp-image-generation: input 0.1/0',
    'gemini-2.0-flash-exp-image-generation: output 0.4/0',
  ],
  'The second source has the figures of the text model here.': [
    'gemini-2.5-flash-image: audio_input 0.3/1',
    'gemini-2.5-flash-image: cache_read 0.3/0.03',
  ],
}

let book: ListBook
beforeAll(async () => {
  book = await openShippedBook()
})

describe.skipIf(!isThere)(`models of today${isThere ? '' : ' (skipped: ../shared/data is absent)'}`, () => {
  it.each(Object.entries(makers))('of %s have a price, but for those that cannot have one', (_, maker) => {
    const listed = listedBy(maker)
    expect(listed.length).toBeGreaterThan(10)
    const known = new Set(Object.values(withoutPrice).flat())
    const missing = listed.map(([id]) => id).filter((id) => book.find(id, at) === undefined && !known.has(id))
    expect(missing).toEqual([])
  })

  it('without a price are not more than these', () => {
    const listed = new Set(Object.values(makers).flatMap((maker) => listedBy(maker).map(([id]) => id)))
    const missing = [...listed].filter((id) => book.find(id, at) === undefined)
    expect(missing.sort()).toEqual(Object.values(withoutPrice).flat().sort())
  })

  it('that do more than text cost what the second source says, but for these', () => {
    const found = Object.values(makers).flatMap((maker) =>
      listedBy(maker).flatMap(([id, price]) => {
        const rates = textModes.has(price.mode) ? undefined : book.find(id, at)?.rates
        return rates === undefined ? [] : differences(rates, price).map((text) => `${id}: ${text}`)
      }),
    )
    expect([...new Set(found)].sort()).toEqual(Object.values(judged).flat().sort())
  })
})
