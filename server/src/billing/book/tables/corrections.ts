import type { PriceRow } from '../price-table.ts'
import { chineseHolidays } from './holidays.ts'
import { secondSourceCorrections } from './second-source/index.ts'
import { source as litellm } from './second-source/source.ts'

/** Prices of provider pages that the catalogue has wrong or outdated. They come before the catalogue. */
export const corrections: readonly PriceRow[] = [
  {
    // All of these are answered by the model that the page calls deepseek-flash; the two oldest names were retired in July 2026.
    models: ['deepseek-flash', 'deepseek-v4-flash*', 'deepseek-chat', 'deepseek-reasoner'],
    provider: 'deepseek',
    source: 'https://api-docs.deepseek.com/quick_start/pricing (2026-10)',
    rates: { input: 0.15, cache_read: 0.003, output: 0.6 },
    peak: {
      hours: [
        [1, 4],
        [6, 10],
      ],
      except: chineseHolidays,
      factor: 2,
    },
  },
  {
    models: ['deepseek-v4-pro*'],
    provider: 'deepseek',
    source: 'https://api-docs.deepseek.com/quick_start/pricing (2026-10)',
    rates: { input: 0.66, cache_read: 0.022, output: 1.98 },
    peak: {
      hours: [
        [1, 4],
        [6, 10],
      ],
      except: chineseHolidays,
      factor: 2,
    },
  },
  {
    models: ['deepseek-v3.2'],
    provider: 'deepseek',
    source: 'https://api-docs.deepseek.com/quick_start/pricing (2025-12)',
    rates: { input: 0.28, cache_read: 0.028, output: 0.42 },
  },
  {
    models: ['gpt-4o-audio-preview*'],
    provider: 'openai',
    source: 'https://platform.openai.com/docs/pricing (2025-12)',
    rates: { input: 2.5, output: 10, audio_input: 40, audio_output: 80 },
  },
  {
    models: ['gpt-4o-mini-audio-preview*'],
    provider: 'openai',
    source: 'https://platform.openai.com/docs/pricing (2025-12)',
    rates: { input: 0.15, output: 0.6, audio_input: 10, audio_output: 20 },
  },
  {
    models: ['gpt-4o-transcribe', 'gpt-4o-transcribe-diarize'],
    provider: 'openai',
    source: 'https://developers.openai.com/api/docs/models/gpt-4o-transcribe (2026-11)',
    rates: { input: 2.5, audio_input: 2.5, output: 10 },
  },
  {
    models: ['gpt-4o-mini-transcribe'],
    provider: 'openai',
    source: 'https://developers.openai.com/api/docs/models/gpt-4o-mini-transcribe (2026-11)',
    rates: { input: 1.25, audio_input: 1.25, output: 5 },
  },
  {
    // Its sound cost more than that of the later snapshots.
    models: ['gpt-4o-realtime-preview-2024-10-01'],
    provider: 'openai',
    source: litellm,
    rates: { input: 5, cache_read: 2.5, output: 20, audio_input: 100, audio_cache_read: 20, audio_output: 200 },
  },
  ...secondSourceCorrections,
]
