import { describe, expect, it } from 'vitest'
import { hasWire, recordings } from '../../../test/support/relay/wire.ts'
import {
  audioPromptTokens,
  cachedTokens,
  completionTokens,
  imagePromptTokens,
  noUsage,
  promptTokens,
} from '../../billing/usage.ts'
import { readUsage } from './answer.ts'

describe('usage metadata of Gemini', () => {
  it('is split into text, sound, pictures and films, from the cache and not', () => {
    const metadata = {
      promptTokenCount: 1000,
      promptTokensDetails: [
        { modality: 'TEXT', tokenCount: 100 },
        { modality: 'AUDIO', tokenCount: 300 },
        { modality: 'IMAGE', tokenCount: 250 },
        { modality: 'VIDEO', tokenCount: 350 },
      ],
      cachedContentTokenCount: 400,
      cacheTokensDetails: [
        { modality: 'AUDIO', tokenCount: 200 },
        { modality: 'IMAGE', tokenCount: 50 },
        { modality: 'VIDEO', tokenCount: 150 },
      ],
      candidatesTokenCount: 1300,
      candidatesTokensDetails: [{ modality: 'IMAGE', tokenCount: 1290 }],
      thoughtsTokenCount: 20,
    }
    expect(readUsage(metadata)).toEqual({
      ...noUsage,
      input: 100,
      cacheRead: 150,
      audioInput: 100,
      output: 30,
      reasoning: 20,
      more: { audio_cache_read: 200, image_cache_read: 50, image_input: 200, video_input: 200, image_output: 1290 },
    })
  })

  it('is never more than its sums', () => {
    const metadata = {
      promptTokenCount: 10,
      promptTokensDetails: [{ modality: 'AUDIO', tokenCount: 30 }],
      cachedContentTokenCount: 40,
      cacheTokensDetails: [{ modality: 'IMAGE', tokenCount: 50 }],
      candidatesTokenCount: 5,
      candidatesTokensDetails: [{ modality: 'AUDIO', tokenCount: 9 }],
    }
    const usage = readUsage(metadata) ?? noUsage
    expect([promptTokens(usage), completionTokens(usage)]).toEqual([10, 5])
  })
})

describe.skipIf(!hasWire)(`recorded answers${hasWire ? '' : ' (skipped: ../shared/wire is absent)'}`, () => {
  const answers = recordings(({ format, stream }) => format === 'gemini.generateContent' && !stream).filter(
    ({ usage }) => (usage.prompt ?? 0) > 0,
  )

  it.each(answers.map((answer) => [answer.id, answer] as const))('%s is read as stated', (_, { response, usage }) => {
    const read = readUsage(Object(response.body).usageMetadata) ?? noUsage
    expect(promptTokens(read) + completionTokens(read)).toBe(usage.total)
    expect(cachedTokens(read)).toBe(usage.cached ?? 0)
    if (usage.audio_in !== undefined) expect(audioPromptTokens(read)).toBe(usage.audio_in)
    if (usage.image_in !== undefined) expect(imagePromptTokens(read)).toBe(usage.image_in)
    expect(read.more?.image_output ?? 0).toBe(usage.image_out ?? 0)
    expect(read.audioOutput).toBe(usage.audio_out ?? 0)
  })
})
