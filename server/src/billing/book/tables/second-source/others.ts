import { type SecondSourceRow, source } from './source.ts'

export const othersRows: readonly SecondSourceRow[] = [
  { models: ['command-a-plus-05-2026'], provider: 'cohere', source, rates: { input: 0, output: 0 } },
  { models: ['deepseek-v3'], provider: 'deepseek', source, rates: { input: 0.27, cache_read: 0.07, output: 1.1 } },
  { models: ['meta-llama/llama-prompt-guard-2-22m'], provider: 'groq', source, rates: { input: 0.03, output: 0.03 } },
  { models: ['meta-llama/llama-prompt-guard-2-86m'], provider: 'groq', source, rates: { input: 0.04, output: 0.04 } },
  { models: ['qwen/qwen3.8-27b'], provider: 'groq', source, rates: { input: 0.8, output: 4 } },
  {
    models: ['minimax-m2.1-lightning', 'minimax-m2.5-lightning'],
    provider: 'minimax',
    source,
    rates: { input: 0.3, cache_read: 0.03, cache_write: 0.375, output: 2.4 },
  },
  {
    models: ['kimi-k3.1-pro'],
    provider: 'moonshotai',
    source,
    rates: { input: 2, cache_read: 0.2, cache_write: 2, cache_write_1h: 4, output: 10 },
  },
  { models: ['moonshot-v1-auto'], provider: 'moonshotai', source, rates: { input: 2, output: 5 } },
  {
    models: ['openai/gpt-oss-safeguard-20b'],
    provider: 'groq',
    source,
    isCorrection: true,
    rates: { input: 0.075, cache_read: 0.037, output: 0.3 },
  },
]
