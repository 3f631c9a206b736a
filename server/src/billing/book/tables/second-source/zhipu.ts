import { type SecondSourceRow, source } from './source.ts'

export const zhipuRows: readonly SecondSourceRow[] = [
  { models: ['glm-4-32b-0414-128k'], provider: 'zai', source, rates: { input: 0.1, output: 0.1 } },
  { models: ['glm-4.5'], provider: 'zai', source, rates: { input: 0.6, output: 2.2 } },
  { models: ['glm-4.5-airx'], provider: 'zai', source, rates: { input: 1.1, output: 4.5 } },
  { models: ['glm-4.5-flash'], provider: 'zai', source, rates: { input: 0, output: 0 } },
  { models: ['glm-4.5-x'], provider: 'zai', source, rates: { input: 2.2, output: 8.9 } },
  { models: ['glm-4.5v'], provider: 'zai', source, rates: { input: 0.6, output: 1.8 } },
  { models: ['glm-4.6'], provider: 'zai', source, rates: { input: 0.6, cache_read: 0.11, output: 2.2 } },
  { models: ['glm-4.7-flash'], provider: 'zai', source, rates: { input: 0, cache_read: 0, output: 0 } },
  { models: ['glm-5-code'], provider: 'zai', source, rates: { input: 1.2, cache_read: 0.3, output: 5 } },
  { models: ['glm-5v-turbo'], provider: 'zai', source, rates: { input: 1.2, cache_read: 0.24, output: 4 } },
  {
    models: ['glm-5.3-flash'],
    provider: 'zai',
    source,
    isCorrection: true,
    rates: { input: 0.15, cache_read: 0.03, output: 0.5 },
  },
]
