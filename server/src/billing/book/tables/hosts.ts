import { type PriceRow, yuan } from '../price-table.ts'

const siliconflow = 'https://docs.siliconflow.cn (2024-07)'

const siliconflowOf2025 = 'https://siliconflow.cn/pricing (2025-02)'

/** Open models at hosts, under the host's names. */
export const hostRows: readonly PriceRow[] = [
  {
    models: [
      'qwen/qwen2-7b-instruct',
      'qwen/qwen2-1.5b-instruct',
      'qwen/qwen1.5-7b-chat',
      'thudm/glm-4-9b-chat',
      'thudm/chatglm3-6b',
      '01-ai/yi-1.5-9b-chat-16k',
      '01-ai/yi-1.5-6b-chat',
      'internlm/internlm2_5-7b-chat',
    ],
    provider: 'siliconflow',
    source: siliconflow,
    rates: { input: yuan(0), output: yuan(0) },
  },
  {
    models: ['qwen/qwen2-72b-instruct', 'qwen/qwen1.5-110b-chat'],
    provider: 'siliconflow',
    source: siliconflow,
    rates: { input: yuan(4.13), output: yuan(4.13) },
  },
  {
    models: ['qwen/qwen2-57b-a14b-instruct', 'qwen/qwen1.5-32b-chat', '01-ai/yi-1.5-34b-chat-16k'],
    provider: 'siliconflow',
    source: siliconflow,
    rates: { input: yuan(1.26), output: yuan(1.26) },
  },
  {
    models: ['qwen/qwen1.5-14b-chat'],
    provider: 'siliconflow',
    source: siliconflow,
    rates: { input: yuan(0.7), output: yuan(0.7) },
  },
  {
    models: ['deepseek-ai/deepseek-coder-v2-instruct', 'deepseek-ai/deepseek-v2-chat'],
    provider: 'siliconflow',
    source: siliconflow,
    rates: { input: yuan(1.33), output: yuan(1.33) },
  },
  {
    models: ['deepseek-ai/deepseek-llm-67b-chat'],
    provider: 'siliconflow',
    source: siliconflow,
    rates: { input: yuan(1), output: yuan(1) },
  },
  {
    // Four tiles of 512 × 512 at $0.0000528 and four steps at $0.0001056, which are the usual ones.
    models: ['@cf/black-forest-labs/flux-1-schnell'],
    provider: 'cloudflare',
    source: 'https://developers.cloudflare.com/workers-ai/platform/pricing (2025-04)',
    rates: { picture: 633.6 },
  },
  {
    models: ['pro/google/gemma-2-9b-it'],
    provider: 'siliconflow',
    source: siliconflowOf2025,
    rates: { input: yuan(0.6), output: yuan(0.6) },
  },
]
