import { type PriceRow, yuan } from '../price-table.ts'

/** Dollars for a picture as dollars for a million. */
const each = (dollars: number): PriceRow['rates'] => ({
  picture: Number((dollars * 1_000_000).toPrecision(12)),
})

const bigmodel = 'https://open.bigmodel.cn/pricing (2026-01)'
const ark = 'https://www.volcengine.com/docs/82379 (2025-10)'
const google = 'https://ai.google.dev/gemini-api/docs/pricing (2025-08)'
const xai = 'https://docs.x.ai/docs/models (2026-08)'

/** Models that are sold by the picture. */
export const pictureRows: readonly PriceRow[] = [
  {
    models: ['dall-e-3'],
    provider: 'openai',
    source: 'https://platform.openai.com/docs/pricing (2025-12)',
    rates: each(0.04),
    pictures: {
      '1024x1024 hd': 0.08,
      '1024x1792 hd': 0.12,
      '1792x1024 hd': 0.12,
      '1024x1792': 0.08,
      '1792x1024': 0.08,
    },
  },
  {
    models: ['dall-e-2'],
    provider: 'openai',
    source: 'https://platform.openai.com/docs/pricing (2025-12)',
    rates: each(0.02),
    pictures: { '256x256': 0.016, '512x512': 0.018 },
  },
  {
    models: ['imagen-3.0-generate-002', 'imagen-3.0-generate-001'],
    provider: 'google',
    source: google,
    rates: each(0.03),
  },
  { models: ['imagen-4.0-generate*'], provider: 'google', source: google, rates: each(0.04) },
  { models: ['imagen-4.0-fast-generate*'], provider: 'google', source: google, rates: each(0.02) },
  { models: ['imagen-4.0-ultra-generate*'], provider: 'google', source: google, rates: each(0.06) },
  { models: ['grok-2-image*'], provider: 'x-ai', source: 'https://docs.x.ai/docs/models (2025-10)', rates: each(0.07) },
  { models: ['grok-imagine-image', 'grok-imagine-image-2026-03-02'], provider: 'x-ai', source: xai, rates: each(0.02) },
  {
    models: ['grok-imagine-image-quality*', 'grok-imagine-image-pro'],
    provider: 'x-ai',
    source: xai,
    rates: each(0.05),
  },
  { models: ['glm-image'], provider: 'zhipuai', source: bigmodel, rates: each(yuan(0.1)) },
  {
    models: ['cogview-3-flash'],
    provider: 'zhipuai',
    source: bigmodel,
    rates: each(0),
  },
  { models: ['doubao-seedream-4-0*'], provider: 'volcengine', source: ark, rates: each(yuan(0.2)) },
]
