import type { PriceColumns } from './column-rows.ts'

export const bedrockColumns: readonly PriceColumns[] = [
  {
    provider: 'aws',
    models: ['global.anthropic.claude-fable-5-v1:0', 'global.anthropic.claude-fable-5-1-v1:0'],
    usual: 10,
    longWrites: { 0: 20 },
  },
  {
    provider: 'aws',
    models: ['global.anthropic.claude-haiku-4-5-20251001-v1:0'],
    usual: 1,
    longWrites: { 0: 2 },
    tiers: [{ names: ['batch', 'batches'], rates: { output: 2.5, input: 0.5 } }],
  },
  {
    provider: 'aws',
    models: [
      'global.anthropic.claude-opus-4-5-v1:0',
      'global.anthropic.claude-opus-4-6-v1:0',
      'global.anthropic.claude-opus-4-7-v1:0',
      'global.anthropic.claude-opus-4-8-v1:0',
      'global.anthropic.claude-opus-5',
    ],
    usual: 5,
    longWrites: { 0: 10 },
  },
  {
    provider: 'aws',
    models: ['global.anthropic.claude-sonnet-4-5-20250929-v1:0'],
    usual: 3,
    longWrites: { 0: 6 },
    tiers: [{ names: ['batch', 'batches'], rates: { output: 7.5, input: 1.5 } }],
  },
  { provider: 'aws', models: ['global.anthropic.claude-sonnet-4-6-v1:0'], usual: 3, longWrites: { 0: 6 } },
  { provider: 'aws', models: ['global.anthropic.claude-sonnet-5-v1:0'], usual: 2, longWrites: { 0: 4 } },
  {
    provider: 'aws',
    models: ['global.zai.glm-5.3'],
    usual: 1.68,
    tiers: [
      { names: ['batch', 'batches'], rates: { output: 2.64, input: 0.84, cache_read: 0.156, cache_write: 1.05 } },
    ],
  },
  {
    provider: 'aws',
    models: ['google.gemma-3-12b-it'],
    usual: 0.09,
    tiers: [
      { names: ['batch', 'batches', 'flex'], rates: { output: 0.15, input: 0.05 } },
      { names: ['priority'], rates: { output: 0.51, input: 0.16 } },
    ],
  },
  {
    provider: 'aws',
    models: ['google.gemma-3-27b-it'],
    usual: 0.23,
    tiers: [
      { names: ['batch', 'batches', 'flex'], rates: { input: 0.12 } },
      { names: ['priority'], rates: { output: 0.67, input: 0.4 } },
    ],
  },
  {
    provider: 'aws',
    models: ['meta.llama3-1-70b-instruct-v1:0', 'meta.llama3-3-70b-instruct-v1:0'],
    usual: 0.72,
    tiers: [{ names: ['batch', 'batches'], rates: { output: 0.36, input: 0.36 } }],
  },
  {
    provider: 'aws',
    models: ['meta.llama3-1-8b-instruct-v1:0'],
    usual: 0.22,
    tiers: [{ names: ['batch', 'batches'], rates: { output: 0.11, input: 0.11 } }],
  },
  {
    provider: 'aws',
    models: ['meta.llama4-maverick-17b-instruct-v1:0'],
    usual: 0.24,
    tiers: [{ names: ['batch', 'batches'], rates: { output: 0.485, input: 0.12 } }],
  },
  {
    provider: 'aws',
    models: ['meta.llama4-scout-17b-instruct-v1:0'],
    usual: 0.17,
    tiers: [{ names: ['batch', 'batches'], rates: { output: 0.33, input: 0.085 } }],
  },
  {
    provider: 'aws',
    models: ['minimax.minimax-m2'],
    usual: 0.3,
    tiers: [{ names: ['priority'], rates: { output: 2.1, input: 0.52 } }],
  },
  {
    provider: 'aws',
    models: ['mistral.magistral-small-2509', 'mistral.mistral-large-3-675b-instruct'],
    usual: 0.5,
    tiers: [{ names: ['priority'], rates: { output: 2.63, input: 0.88 } }],
  },
  {
    provider: 'aws',
    models: ['mistral.ministral-3-3b-instruct'],
    usual: 0.1,
    tiers: [{ names: ['priority'], rates: { output: 0.17, input: 0.17 } }],
  },
  {
    provider: 'aws',
    models: ['mistral.ministral-3-8b-instruct'],
    usual: 0.15,
    tiers: [
      { names: ['batch', 'batches', 'flex'], rates: { output: 0.07, input: 0.07 } },
      { names: ['priority'], rates: { output: 0.26, input: 0.26 } },
    ],
  },
  {
    provider: 'aws',
    models: ['mistral.voxtral-small-24b-2507'],
    usual: 0.1,
    tiers: [{ names: ['priority'], rates: { output: 0.52, input: 0.17 } }],
  },
  {
    provider: 'aws',
    models: ['moonshot.kimi-k2-thinking'],
    usual: 0.6,
    tiers: [{ names: ['priority'], rates: { output: 4.38 } }],
  },
  {
    provider: 'aws',
    models: ['nvidia.nemotron-nano-3-30b:0'],
    usual: 0.06,
    tiers: [{ names: ['priority'], rates: { input: 0.11 } }],
  },
  {
    provider: 'aws',
    models: ['nvidia.nemotron-nano-9b-v2:0'],
    usual: 0.06,
    tiers: [
      { names: ['batch', 'batches', 'flex'], rates: { output: 0.12 } },
      { names: ['priority'], rates: { output: 0.4, input: 0.11 } },
    ],
  },
  {
    provider: 'aws',
    models: ['openai.gpt-oss-safeguard-120b'],
    usual: 0.15,
    tiers: [
      { names: ['batch', 'batches'], rates: { input: 0.07 } },
      { names: ['flex'], rates: { output: 0.3, input: 0.07 } },
      { names: ['priority'], rates: { output: 1.05, input: 0.26 } },
    ],
  },
  {
    provider: 'aws',
    models: ['openai.gpt-oss-safeguard-20b'],
    usual: 0.07,
    tiers: [
      { names: ['batch', 'batches'], rates: { input: 0.03 } },
      { names: ['flex'], rates: { output: 0.1, input: 0.03 } },
      { names: ['priority'], rates: { output: 0.35, input: 0.12 } },
    ],
  },
  {
    provider: 'aws',
    models: ['qwen.qwen3-next-80b-a3b'],
    usual: 0.15,
    tiers: [
      { names: ['flex'], rates: { output: 0.6, input: 0.07 } },
      { names: ['priority'], rates: { output: 2.1, input: 0.26 } },
    ],
  },
  {
    provider: 'aws',
    models: ['qwen.qwen3-vl-235b-a22b-v1:0'],
    usual: 0.53,
    tiers: [
      { names: ['batch', 'batches'], rates: { input: 0.26 } },
      { names: ['priority'], rates: { output: 4.66, input: 0.93 } },
    ],
  },
  {
    provider: 'aws',
    models: ['regional.anthropic.claude-haiku-4-5-20251001-v1:0'],
    usual: 1.1,
    longWrites: { 0: 2.2 },
    tiers: [{ names: ['batch', 'batches'], rates: { output: 2.75, input: 0.55 } }],
  },
  {
    provider: 'aws',
    models: [
      'regional.anthropic.claude-opus-4-7-v1:0',
      'regional.anthropic.claude-opus-4-6-v1:0',
      'regional.anthropic.claude-opus-4-8-v1:0',
      'regional.anthropic.claude-opus-5',
      'regional.anthropic.claude-opus-4-5-v1:0',
    ],
    usual: 5.5,
    longWrites: { 0: 11 },
  },
  {
    provider: 'aws',
    models: ['regional.anthropic.claude-sonnet-4-5-20250929-v1:0'],
    usual: 3.3,
    longWrites: { 0: 6.6 },
    tiers: [{ names: ['batch', 'batches'], rates: { output: 8.25, input: 1.65 } }],
  },
  { provider: 'aws', models: ['regional.anthropic.claude-sonnet-4-6-v1:0'], usual: 3.3, longWrites: { 0: 6.6 } },
  { provider: 'aws', models: ['regional.anthropic.claude-sonnet-5-v1:0'], usual: 2.2, longWrites: { 0: 4.4 } },
  {
    provider: 'aws',
    models: ['us.deepseek.v3.2'],
    usual: 0.62,
    tiers: [{ names: ['batch', 'batches'], rates: { output: 0.925, input: 0.31 } }],
  },
  {
    provider: 'aws',
    models: ['us.zai.glm-5.3'],
    usual: 1.848,
    tiers: [
      { names: ['batch', 'batches'], rates: { output: 2.904, input: 0.924, cache_read: 0.1716, cache_write: 1.155 } },
    ],
  },
]
