import type { PriceRow } from '../price-table.ts'
import { source as litellm } from './second-source/source.ts'

const openai = 'https://platform.openai.com/docs/pricing (2025-12)'

/** Speech that is sold by the character of its text, and transcripts by the minute of their sound. */
export const speechRows: readonly PriceRow[] = [
  { models: ['tts-1', 'tts-1-1106'], provider: 'openai', source: openai, rates: { characters: 15 } },
  { models: ['tts-1-hd', 'tts-1-hd-1106'], provider: 'openai', source: openai, rates: { characters: 30 } },
  { models: ['speech-2.6-hd', 'speech-02-hd'], provider: 'minimax', source: litellm, rates: { characters: 100 } },
  { models: ['speech-2.6-turbo', 'speech-02-turbo'], provider: 'minimax', source: litellm, rates: { characters: 60 } },
  // The usual name of a deployment at Azure; the maker calls it whisper-1.
  { models: ['whisper'], provider: 'azure', source: litellm, rates: { duration: 0.1 } },
  {
    // $0.0005 a minute.
    models: ['@cf/openai/whisper', '@cf/openai/whisper-large-v3-turbo'],
    provider: 'cloudflare',
    source: 'https://developers.cloudflare.com/workers-ai/platform/pricing (2025-04)',
    rates: { duration: 0.0083333333333 },
  },
]
