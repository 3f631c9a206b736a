import { existsSync, readFileSync } from 'node:fs'
import {
  defaultCacheRatios,
  defaultCompletionRatios,
  defaultGroupRatios,
  defaultModelPrices,
  defaultModelRatios,
  defaultTopupGroupRatios,
  defaultUserUsableGroups,
} from '@tollgate/contract/prices'
import { describe, expect, it } from 'vitest'
import { audioCompletionRatio, audioRatioOf } from './audio-ratios.ts'
import { cacheWriteRatio, defaultCacheRatio } from './cache-ratios.ts'
import { builtInCompletionRatio } from './completion-ratios.ts'

const folder = new URL('../../../../../shared/data/', import.meta.url)
const isThere = existsSync(folder)
const read = (name: string) => JSON.parse(readFileSync(new URL(name, folder), 'utf8'))

describe.skipIf(!isThere)(
  `the tables and the reference data${isThere ? '' : ' (skipped: ../shared/data is absent)'}`,
  () => {
    it('agree on model ratios, but for the two that are 0 by accident', () => {
      expect(defaultModelRatios).toEqual({
        ...read('model-ratios.json'),
        'llama-3-sonar-large-32k-chat': 0.5,
        'llama-3-sonar-large-32k-online': 0.5,
      })
    })

    it('agree on prices per call', () => expect(defaultModelPrices).toEqual(read('model-prices.json')))

    it('agree on cache ratios', () => {
      const data = read('cache-ratios.json')
      expect(defaultCacheRatios).toEqual(data.cache_read)
      expect(defaultCacheRatio).toBe(data.cache_read_default)
      expect([...new Set([...Object.values(data.cache_creation), data.cache_creation_default])]).toEqual([
        cacheWriteRatio,
      ])
    })

    it('agree on completion and audio figures', () => {
      const data = read('completion-ratios.json')
      expect(defaultCompletionRatios).toEqual(data.default_map)
      expect(audioCompletionRatio).toBe(data.audio_completion_ratio)
    })

    it('agree on groups', () => {
      const data = read('group-ratios.json')
      expect(defaultGroupRatios).toEqual(data.group_ratio)
      expect(defaultUserUsableGroups).toEqual(data.user_usable_groups)
      expect(defaultTopupGroupRatios).toEqual(data.topup_group_ratio)
    })
  },
)

describe('built-in completion ratios', () => {
  it.each([
    ['gpt-4o-2024-05-13', 3, true],
    ['gpt-4o-mini', 4, true],
    ['gpt-4.5-preview-2025-02-27', 2, true],
    ['gpt-4-turbo-2024-04-09', 3, true],
    ['gpt-4-1106', 3, true],
    ['gpt-4-0613', 2, false],
    ['gpt-4o-all', 1, false],
    ['gpt-4o-gizmo-*', 1, false],
    ['o1-mini', 4, true],
    ['o3-mini-high', 4, true],
    ['chatgpt-4o-latest', 3, true],
    ['claude-instant-1.2', 3, true],
    ['anthropic/claude-2.1', 3, true],
    ['claude-3-7-sonnet-20250219', 5, true],
    ['gpt-3.5-turbo', 3, true],
    ['gpt-3.5-turbo-0125', 3, true],
    ['gpt-3.5-turbo-1106', 2, true],
    ['gpt-3.5-turbo-16k', 1.3333333333333333, true],
    ['mistral-large', 3, true],
    ['gemini-1.5-pro', 4, true],
    ['gemini-2.0-flash', 4, true],
    ['gemini-2.5-pro-preview-03-25', 8, true],
    ['gemini-2.5-pro-exp-03-25', 4, false],
    ['command-r', 3, true],
    ['command-r-plus', 5, true],
    ['command-r-08-2024', 4, true],
    ['command-r-plus-08-2024', 4, true],
    ['command-light', 4, false],
    ['DeepSeek-Chat', 4, true],
    ['deepseek-reasoner', 4, true],
    ['ERNIE-Speed-8K', 2, true],
    ['ERNIE-Functions-8K', 2, true],
    ['llama2-70b-4096', 1.25, true],
    ['llama3-8b-8192', 2, true],
    ['llama3-70b-8192', 1.3389830508474576, true],
    ['qwen-plus', 1, false],
  ])('gives %s %d (locked: %s)', (model, value, locked) => {
    expect(builtInCompletionRatio(model)).toMatchObject({ value, locked })
  })
})

describe('audio ratios', () => {
  it.each([
    ['gpt-4o-realtime-preview-2024-12-17', 8],
    ['gpt-4o-mini-realtime-preview', 16.666666666666668],
    ['gpt-4o-realtime-preview', 20],
    ['gpt-4o-audio-preview-2024-12-17', 16],
    ['gpt-4o-mini-audio-preview', 66.66666666666667],
    ['gpt-4o-audio-preview', 40],
    ['gpt-4o', 20],
  ])('gives %s %d', (model, ratio) => expect(audioRatioOf(model)).toBe(ratio))
})
