import type { PriceColumns } from './column-rows.ts'

export const hostsColumns: readonly PriceColumns[] = [
  {
    provider: 'fireworks',
    models: ['glm-5p2'],
    usual: 1.4,
    tiers: [{ names: ['priority'], rates: { output: 5.5, input: 1.75, cache_read: 0.175 } }],
  },
  {
    provider: 'fireworks',
    models: ['gpt-oss-120b'],
    usual: 0.15,
    tiers: [{ names: ['priority'], rates: { output: 0.72, input: 0.18, cache_read: 0.018 } }],
  },
  {
    provider: 'fireworks',
    models: ['inkling'],
    usual: 1,
    tiers: [{ names: ['priority'], rates: { output: 4.05, input: 1, cache_read: 0.17 } }],
  },
  {
    provider: 'fireworks',
    models: ['kimi-k2p6'],
    usual: 0.95,
    tiers: [{ names: ['priority'], rates: { output: 6, input: 1.5, cache_read: 0.22 } }],
  },
  {
    provider: 'fireworks',
    models: ['kimi-k2p7-code'],
    usual: 0.95,
    tiers: [{ names: ['priority'], rates: { output: 6, input: 1.425, cache_read: 0.285 } }],
  },
  {
    provider: 'fireworks',
    models: ['kimi-k3'],
    usual: 3,
    tiers: [{ names: ['priority'], rates: { output: 18.75, input: 3.75, cache_read: 0.375 } }],
  },
  {
    provider: 'fireworks',
    models: ['minimax-m3'],
    usual: 0.3,
    tiers: [{ names: ['priority'], rates: { output: 1.8, input: 0.45, cache_read: 0.09 } }],
  },
  {
    provider: 'fireworks',
    models: ['nemotron-3-ultra-nvfp4'],
    usual: 0.6,
    tiers: [{ names: ['priority'], rates: { output: 3, input: 0.75, cache_read: 0.15 } }],
  },
  { provider: 'moonshotai', models: ['kimi-k3'], usual: 3, longWrites: { 0: 6 } },
]
