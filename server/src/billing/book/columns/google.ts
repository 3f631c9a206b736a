import type { PriceColumns } from './column-rows.ts'

export const googleColumns: readonly PriceColumns[] = [
  {
    provider: 'google',
    models: [
      'deep-research-max-preview-04-2026',
      'deep-research-preview-04-2026',
      'deep-research-pro-preview-12-2025',
      'nano-banana-pro-preview',
    ],
    usual: 2,
    tiers: [{ names: ['batch', 'batches'], rates: { output: 6, input: 1 } }],
  },
  {
    provider: 'google',
    models: ['gemini-2.5-flash'],
    usual: 0.3,
    tiers: [{ names: ['batch', 'batches', 'flex'], rates: { cache_read: 0.03, audio_cache_read: 0.1 } }],
  },
  {
    provider: 'google',
    models: ['gemini-2.5-flash-lite'],
    usual: 0.1,
    tiers: [{ names: ['batch', 'batches', 'flex'], rates: { cache_read: 0.01, audio_cache_read: 0.03 } }],
  },
  {
    provider: 'google',
    models: ['gemini-2.5-pro'],
    usual: 1.25,
    tiers: [
      {
        names: ['batch', 'batches'],
        rates: { cache_read: 0.125 },
        contexts: [{ above: 200000, rates: { cache_read: 0.25 } }],
      },
      { names: ['flex'], rates: { cache_read: 0.125 } },
    ],
  },
  {
    provider: 'google',
    models: ['gemini-3-flash-preview'],
    usual: 0.5,
    tiers: [{ names: ['batch', 'batches', 'flex'], rates: { cache_read: 0.05, audio_cache_read: 0.1 } }],
  },
  {
    provider: 'google',
    models: ['gemini-3-pro-image-preview'],
    usual: 2,
    tiers: [
      { names: ['priority'], rates: { cache_read: 0.36 } },
      { names: ['batch', 'batches', 'flex'], rates: { cache_read: 0.1 } },
    ],
  },
  {
    provider: 'google',
    models: ['gemini-3.1-flash-image-preview'],
    usual: 0.5,
    tiers: [
      { names: ['batch', 'batches', 'flex'], rates: { cache_read: 0.025 } },
      { names: ['priority'], rates: { cache_read: 0.09 } },
    ],
  },
  {
    provider: 'google',
    models: ['gemini-3.1-flash-lite-image'],
    usual: 0.25,
    tiers: [
      { names: ['batch', 'batches', 'flex'], rates: { cache_read: 0.0125 } },
      { names: ['priority'], rates: { cache_read: 0.045 } },
    ],
  },
  {
    provider: 'google',
    models: ['gemini-3.1-pro-preview'],
    usual: 2,
    tiers: [
      {
        names: ['batch', 'batches'],
        rates: { cache_read: 0.2 },
        contexts: [{ above: 200000, rates: { cache_read: 0.4 } }],
      },
      { names: ['flex'], rates: { cache_read: 0.2 } },
    ],
  },
  {
    provider: 'google',
    models: ['gemini-3.5-flash'],
    usual: 1.5,
    tiers: [{ names: ['flex'], rates: { cache_read: 0.08 } }],
  },
  {
    provider: 'google',
    models: ['gemini-3.5-flash-lite'],
    usual: 0.3,
    tiers: [
      { names: ['batch', 'batches', 'flex'], rates: { cache_read: 0.02 } },
      { names: ['priority'], rates: { cache_read: 0.05 } },
    ],
  },
  {
    provider: 'google',
    models: ['gemini-3.8-flash-lite-tts', 'gemini-3.8-flash-tts'],
    usual: 0.5,
    tiers: [{ names: ['flex'], rates: { cache_read: 0.025 } }],
  },
  {
    provider: 'google',
    models: ['gemini-flash-lite-latest'],
    usual: 0.3,
    tiers: [
      { names: ['flex'], rates: { cache_read: 0.02 } },
      { names: ['priority'], rates: { cache_read: 0.05 } },
    ],
  },
  {
    provider: 'google',
    models: ['gemini-pro-latest'],
    usual: 2,
    tiers: [{ names: ['flex'], rates: { cache_read: 0.2 } }],
  },
]
