import { existsSync, readFileSync } from 'node:fs'
import {
  defaultGroupRatios,
  defaultModelPrices,
  defaultTopupGroupRatios,
  defaultUserUsableGroups,
} from '@tollgate/contract/prices'
import { describe, expect, it } from 'vitest'
import { defaultSettings } from '../../../test/support/billing/price.ts'
import { createPriceBook, ratiosOf } from '../prices.ts'
import { audioCompletionRatios, audioRatios } from './audio-ratios.ts'
import { completionRatioByName, completionRatios2025 } from './completion-ratios.ts'
import { cacheRatios2025, modelRatios2025 } from './ratios-2025.ts'
import { usualRatios } from './usual-ratios.ts'

const folder = new URL('../../../../../shared/data/', import.meta.url)
const isThere = existsSync(folder)
const read = (name: string) => JSON.parse(readFileSync(new URL(name, folder), 'utf8'))

describe.skipIf(!isThere)(
  `the tables and the reference data${isThere ? '' : ' (skipped: ../shared/data is absent)'}`,
  () => {
    it('agree on model ratios, except for two that are 0 there by mistake', () => {
      expect(modelRatios2025).toEqual({
        ...read('model-ratios.json'),
        'llama-3-sonar-large-32k-chat': 0.5,
        'llama-3-sonar-large-32k-online': 0.5,
      })
    })

    it('agree on prices per call', () => expect(defaultModelPrices).toEqual(read('model-prices.json')))

    it('agree on cache ratios', () => {
      const data = read('cache-ratios.json')
      expect(cacheRatios2025).toEqual(data.cache_read)
      expect(usualRatios.cacheRead).toBe(data.cache_read_default)
      expect([...new Set([...Object.values(data.cache_creation), data.cache_creation_default])]).toEqual([
        usualRatios.cacheWrite,
      ])
    })

    it('agree on completion figures', () => {
      const data = read('completion-ratios.json')
      expect(completionRatios2025).toEqual(data.default_map)
    })

    it('agree on groups', () => {
      const data = read('group-ratios.json')
      expect(defaultGroupRatios).toEqual(data.group_ratio)
      expect(defaultUserUsableGroups).toEqual(data.user_usable_groups)
      expect(defaultTopupGroupRatios).toEqual(data.topup_group_ratio)
    })
  },
)

describe('completion ratios by name', () => {
  it.each([
    ['gpt-4o-2024-05-13', 3],
    ['gpt-4o-mini', 4],
    ['gpt-4.5-preview-2025-02-27', 2],
    ['gpt-4-turbo-2024-04-09', 3],
    ['gpt-4-1106', 3],
    ['gpt-4-0613', 2],
    ['gpt-4o-all', 1],
    ['gpt-4o-gizmo-*', 1],
    ['o1-mini', 4],
    ['o3-mini-high', 4],
    ['chatgpt-4o-latest', 3],
    ['claude-instant-1.2', 3],
    ['anthropic/claude-2.1', 3],
    ['claude-3-7-sonnet-20250219', 5],
    ['gpt-3.5-turbo', 3],
    ['gpt-3.5-turbo-0125', 3],
    ['gpt-3.5-turbo-1106', 2],
    ['gpt-3.5-turbo-16k', 1.3333333333333333],
    ['mistral-large', 3],
    ['gemini-1.5-pro', 4],
    ['gemini-2.0-flash', 4],
    ['gemini-2.5-pro-preview-03-25', 8],
    ['gemini-2.5-pro-exp-03-25', 4],
    ['command-r', 3],
    ['command-r-plus', 5],
    ['command-r-08-2024', 4],
    ['command-r-plus-08-2024', 4],
    ['command-light', 4],
    ['DeepSeek-Chat', 4],
    ['deepseek-reasoner', 4],
    ['ERNIE-Speed-8K', 2],
    ['ERNIE-Functions-8K', 2],
    ['llama2-70b-4096', 1.25],
    ['llama3-8b-8192', 2],
    ['llama3-70b-8192', 1.3389830508474576],
    ['qwen-plus', 1],
  ])('gives %s %d', (model, value) => {
    expect(completionRatioByName(model)).toBe(value)
  })
})

describe('the ratios of 2025', () => {
  it('are numbers of at least 0, and cache reads cost no more than the prompt', () => {
    expect(Object.values(modelRatios2025).length).toBeGreaterThan(100)
    expect(Object.values(modelRatios2025).filter((ratio) => !(ratio >= 0 && Number.isFinite(ratio)))).toEqual([])
    expect(Object.values(cacheRatios2025).filter((ratio) => !(ratio > 0 && ratio <= 1))).toEqual([])
  })
})

describe('audio ratios', () => {
  const book = createPriceBook({ ...defaultSettings, selfUse: true })
  const soundOf = (model: string): number[] => {
    const price = book.of(model, 'default', { acceptsUnpriced: true })
    if (price === undefined) throw new Error(`${model} has no price`)
    const { audio_ratio, audio_completion_ratio } = ratiosOf(price)
    return [audio_ratio, audio_completion_ratio]
  }

  // From the price pages: audio input ÷ text input, audio output ÷ audio input.
  it.each([
    ['gpt-4o-audio-preview', 16, 2],
    ['gpt-4o-mini-audio-preview', 66.6666666666667, 2],
    ['gpt-audio', 12.8, 2],
    ['gpt-audio-mini', 16.6666666666667, 2],
    ['gpt-4o-realtime-preview', 8, 2],
    ['gpt-4o-realtime-preview-2024-10-01', 20, 2],
    ['gpt-4o-mini-realtime-preview', 16.6666666666667, 2],
    ['gpt-realtime', 8, 2],
    ['gpt-realtime-mini', 16.6666666666667, 2],
    ['gpt-4o-transcribe', 1, 4],
    ['gpt-4o-mini-tts', 1, 20],
    ['gemini-2.0-flash', 7, 1],
    ['gemini-2.5-flash', 3.33333333333333, 1.2],
    ['gemini-2.5-flash-lite', 3, 1.33333333333333],
    ['gemini-2.5-pro', 1, 4],
    ['gemini-3-flash-preview', 2, 2],
    ['my-own-model', 1, 1],
    ['gpt-4o', 1, 4],
    ['my-audio-model', 1, 1],
    ['constructor', 1, 1],
  ])('of %s are %d in and %d out', (model, audioIn, audioOut) => expect(soundOf(model)).toEqual([audioIn, audioOut]))

  it('are the configured ones, also 0', () => {
    const settings = { ...defaultSettings, selfUse: true, audioRatio: { a: 5, b: 0 }, audioCompletionRatio: { a: 3 } }
    const set = createPriceBook(settings)
    const of = (model: string) => {
      const price = set.of(model, 'default', { acceptsUnpriced: true })
      return price && ratiosOf(price)
    }
    expect(of('a')).toMatchObject({ audio_ratio: 5, audio_completion_ratio: 3 })
    expect(of('b')).toMatchObject({ audio_ratio: 0 })
    expect(of('gpt-audio')).toMatchObject({ audio_ratio: 1, audio_completion_ratio: 1 })
    expect(set.hasSoundRatio('a')).toBe(true)
    expect(set.hasSoundRatio('toString')).toBe(false)
  })

  it.skipIf(!isThere)('agree with the public price table', () => {
    const table: Record<string, Record<string, unknown>> = read('prices-2026-11.json')
    const rounded = (ratio: number): number => Number(ratio.toPrecision(12))
    const wrong = Object.entries(table).flatMap(([model, facts]) => {
      const {
        input_cost_per_token: text,
        input_cost_per_audio_token: audioIn,
        output_cost_per_audio_token: audioOut,
      } = facts
      const listed = audioRatios[model]
      if (typeof text !== 'number' || typeof audioIn !== 'number' || listed === undefined) return []
      const isRight = rounded(listed) === rounded(audioIn / text)
      const out = audioCompletionRatios[model]
      const isRightOut =
        out === undefined || typeof audioOut !== 'number' || rounded(out) === rounded(audioOut / audioIn)
      return isRight && isRightOut ? [] : [model]
    })
    expect(wrong).toEqual([])
  })
})
