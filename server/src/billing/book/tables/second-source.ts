import { readRows } from './read-rows.ts'
import anthropic from './second-source/anthropic.json' with { type: 'json' }
import bedrock from './second-source/bedrock.json' with { type: 'json' }
import bedrockMedia from './second-source/bedrock-media.json' with { type: 'json' }
import bedrockRegions from './second-source/bedrock-regions.json' with { type: 'json' }
import google from './second-source/google.json' with { type: 'json' }
import mistral from './second-source/mistral.json' with { type: 'json' }
import openai from './second-source/openai.json' with { type: 'json' }
import others from './second-source/others.json' with { type: 'json' }
import qwen from './second-source/qwen.json' with { type: 'json' }
import xai from './second-source/xai.json' with { type: 'json' }
import zhipu from './second-source/zhipu.json' with { type: 'json' }

/** Rows of LiteLLM's public table (MIT), read in November 2026: for models that no page could be read for. */
export const secondSource = readRows(
  bedrock,
  bedrockRegions,
  bedrockMedia,
  openai,
  anthropic,
  others,
  qwen,
  google,
  mistral,
  xai,
  zhipu,
)
