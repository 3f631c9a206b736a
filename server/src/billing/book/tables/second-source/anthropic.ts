import { type SecondSourceRow, source } from './source.ts'

export const anthropicRows: readonly SecondSourceRow[] = [
  {
    models: ['claude-haiku-5-5'],
    provider: 'anthropic',
    source,
    rates: { input: 0.1, cache_read: 0.01, cache_write: 0.125, cache_write_1h: 0.2, output: 0.5 },
    contexts: [
      { above: 100000, rates: { input: 0.5, cache_read: 0.05, cache_write: 0.625, cache_write_1h: 1, output: 2.5 } },
    ],
  },
  {
    models: ['claude-mythos-5', 'claude-mythos-preview'],
    provider: 'anthropic',
    source,
    rates: { input: 10, cache_read: 1, cache_write: 12.5, cache_write_1h: 20, output: 50 },
  },
  {
    models: ['claude-mythos-5-1'],
    provider: 'anthropic',
    source,
    rates: { input: 10, cache_read: 0.25, cache_write: 12.5, cache_write_1h: 20, output: 50 },
  },
  {
    models: ['claude-sonnet-5-5'],
    provider: 'anthropic',
    source,
    isCorrection: true,
    rates: { input: 2, cache_read: 0.1, cache_write: 2.5, cache_write_1h: 4, output: 10 },
  },
]
