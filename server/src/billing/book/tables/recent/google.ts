import type { PriceRow } from '../../price-table.ts'
import { source } from './source.ts'

export const googleRows: readonly PriceRow[] = [
  {
    models: ['deep-research-pro-preview-12-2025'],
    provider: 'google',
    source,
    rates: { input: 2, cache_read: 0.2, output: 12, image_output: 120 },
  },
  {
    models: ['gemini-2.5-computer-use-preview-10-2025'],
    provider: 'google',
    source,
    rates: { input: 1.25, output: 10 },
    contexts: [{ above: 200000, rates: { input: 2.5, output: 15 } }],
  },
  {
    models: ['gemini-exp-1206'],
    provider: 'google',
    source,
    rates: { input: 0.3, cache_read: 0.03, audio_input: 1, output: 2.5 },
  },
  {
    models: ['gemini-flash-latest'],
    provider: 'google',
    source,
    rates: { input: 0.75, cache_read: 0.075, output: 3.75 },
    tiers: { flex: 0.5, priority: 1.8 },
  },
  {
    models: ['gemini-flash-lite-latest'],
    provider: 'google',
    source,
    rates: { input: 0.3, cache_read: 0.03, output: 2.5 },
    tiers: { flex: 0.5, priority: 1.8 },
  },
  {
    models: ['gemini-robotics-er-1.5-preview'],
    provider: 'google',
    source,
    rates: { input: 0.3, cache_read: 0, audio_input: 1, output: 2.5 },
  },
  {
    models: ['gemini-robotics-er-2-preview'],
    provider: 'google',
    source,
    rates: { input: 1, cache_read: 0.1, audio_input: 1, output: 5 },
  },
  {
    models: ['deep-research-max-preview-04-2026', 'deep-research-preview-04-2026'],
    provider: 'google',
    source,
    rates: { input: 2, output: 12 },
  },
  {
    models: ['gemini-4-argon'],
    provider: 'google',
    source,
    rates: { input: 2, cache_read: 0.1, output: 10 },
    tiers: { flex: 0.5, priority: 1.8 },
  },
  {
    models: ['gemini-exp-1114', 'learnlm-1.5-pro-experimental'],
    provider: 'google',
    source,
    rates: { input: 0, output: 0 },
    contexts: [{ above: 128000, rates: { input: 0, output: 0 } }],
  },
  {
    models: ['gemini-gemma-2-27b-it', 'gemini-gemma-2-9b-it'],
    provider: 'google',
    source,
    rates: { input: 0.35, output: 1.05 },
  },
  { models: ['gemini-omni-1.1-flash'], provider: 'google', source, rates: { input: 1.5, audio_input: 1.5, output: 9 } },
  {
    models: ['gemini-robotics-er-2-streaming-preview'],
    provider: 'google',
    source,
    rates: { input: 1, audio_input: 1, output: 5 },
  },
  {
    models: [
      'lyria-3-clip-preview',
      'lyria-3-pro-preview',
      'lyria-3.5',
      'lyria-3.5-clip-preview',
      'lyria-3.5-pro-preview',
      'lyria-realtime-exp',
    ],
    provider: 'google',
    source,
    rates: { input: 0, output: 0 },
  },
]
