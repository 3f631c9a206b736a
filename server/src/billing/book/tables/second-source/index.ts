import type { PriceRow } from '../../price-table.ts'
import { anthropicRows } from './anthropic.ts'
import { bedrockRows } from './bedrock.ts'
import { bedrockMediaRows } from './bedrock-media.ts'
import { bedrockRegionRows } from './bedrock-regions.ts'
import { googleRows } from './google.ts'
import { mistralRows } from './mistral.ts'
import { openaiRows } from './openai.ts'
import { othersRows } from './others.ts'
import { qwenRows } from './qwen.ts'
import type { SecondSourceRow } from './source.ts'
import { xaiRows } from './xai.ts'
import { zhipuRows } from './zhipu.ts'

const rows: readonly SecondSourceRow[] = [
  ...bedrockRows,
  ...bedrockRegionRows,
  ...bedrockMediaRows,
  ...openaiRows,
  ...anthropicRows,
  ...othersRows,
  ...qwenRows,
  ...googleRows,
  ...mistralRows,
  ...xaiRows,
  ...zhipuRows,
]

/** Models that came after the catalogue was made. */
export const secondSourceRows: readonly PriceRow[] = rows.filter(({ isCorrection }) => isCorrection !== true)

/** Models of which the second source knows the present price and the catalogue does not. */
export const secondSourceCorrections: readonly PriceRow[] = rows.filter(({ isCorrection }) => isCorrection === true)
