import type { PriceRow } from '../../price-table.ts'
import { anthropicRows } from './anthropic.ts'
import { bedrockRows } from './bedrock.ts'
import { googleRows } from './google.ts'
import { mistralRows } from './mistral.ts'
import { openaiRows } from './openai.ts'
import { othersRows } from './others.ts'
import { qwenRows } from './qwen.ts'
import { xaiRows } from './xai.ts'
import { zhipuRows } from './zhipu.ts'

/** Models that came after the catalogue was made. */
export const recentRows: readonly PriceRow[] = [
  ...bedrockRows,
  ...openaiRows,
  ...anthropicRows,
  ...othersRows,
  ...qwenRows,
  ...googleRows,
  ...mistralRows,
  ...xaiRows,
  ...zhipuRows,
]
