import { describe, expect, it } from 'vitest'
import { modelKey } from './model-key.ts'

describe('names of one model', () => {
  it.each([
    ['gpt-4o', 'gpt-4o-2024-08-06', 'openai/gpt-4o', 'gpt 4o 1120', 'gpt-4o-0513'],
    ['gpt-4.1-mini', 'gpt 4.1 mini', 'openai/gpt-4.1-mini-2025-04-14'],
    [
      'claude-sonnet-4-6',
      'us.anthropic.claude-sonnet-4-6-20260501-v1:0',
      'Claude4.6Sonnet',
      'anthropic/claude-4.6-sonnet',
    ],
    [
      'claude-3-5-sonnet-latest',
      'anthropic.claude-3-5-sonnet-20241022-v2:0',
      'Claude 3.5 Sonnet',
      'claude-3-5-sonnet@20240620',
    ],
    ['nova-2-lite', 'amazon.nova-2-lite-v1:0', 'Nova2.0Lite'],
    ['deepseek-r1', 'deepseek/deepseek-r1:free', 'deepseek-r1-0528'],
    ['gpt-oss-120b', 'openai.gpt-oss-120b'],
    ['通义', '通义'],
  ])('meet: %s', (...names) => expect(new Set(names.map(modelKey)).size).toBe(1))

  it.each([
    ['gpt-4o', 'gpt-4o-mini'],
    ['gpt-4', 'gpt-4.1'],
    ['o3', 'o3-mini'],
    ['claude-opus-4-6', 'claude-opus-4-5'],
    ['llama-3.3-70b', 'llama-3.1-70b'],
    ['gpt-4o-audio-preview', 'gpt-4o'],
  ])('of two models do not: %s and %s', (one, other) => expect(modelKey(one)).not.toBe(modelKey(other)))
})
