import { ai360 } from './ai360/provider.ts'
import { ali } from './ali/provider.ts'
import { anthropic } from './anthropic/provider.ts'
import { azure } from './azure/provider.ts'
import { baidu } from './baidu/provider.ts'
import { baiduV2 } from './baidu-v2/provider.ts'
import { bedrock } from './bedrock/provider.ts'
import { cloudflare } from './cloudflare/provider.ts'
import { cohere } from './cohere/provider.ts'
import { custom } from './custom/provider.ts'
import { deepseek } from './deepseek/provider.ts'
import { dify } from './dify/provider.ts'
import { fastgpt } from './fastgpt/provider.ts'
import { gemini } from './gemini/provider.ts'
import { jina } from './jina/provider.ts'
import { kling } from './kling/provider.ts'
import { lingyiwanwu } from './lingyiwanwu/provider.ts'
import { luma } from './luma/provider.ts'
import { midjourney } from './midjourney/provider.ts'
import { midjourneyPlus } from './midjourney-plus/provider.ts'
import { minimax } from './minimax/provider.ts'
import { mistral } from './mistral/provider.ts'
import { mokaai } from './mokaai/provider.ts'
import { moonshot } from './moonshot/provider.ts'
import { ollama } from './ollama/provider.ts'
import { openai } from './openai/provider.ts'
import { openrouter } from './openrouter/provider.ts'
import { ownServer } from './own-server/provider.ts'
import { palm } from './palm/provider.ts'
import { perplexity } from './perplexity/provider.ts'
import type { Provider } from './provider.ts'
import { aigc2d, ails, aiproxy, api2gpt, ohmygpt, openaimax } from './resellers/provider.ts'
import { runway } from './runway/provider.ts'
import { siliconflow } from './siliconflow/provider.ts'
import { suno } from './suno/provider.ts'
import { tencent } from './tencent/provider.ts'
import { type UnbuiltProvider, unbuiltProviders } from './unbuilt.ts'
import { vertexAi } from './vertex-ai/provider.ts'
import { vidu } from './vidu/provider.ts'
import { volcengine } from './volcengine/provider.ts'
import { xai } from './xai/provider.ts'
import { xinference } from './xinference/provider.ts'
import { xunfei } from './xunfei/provider.ts'
import { zhipuV3 } from './zhipu/provider.ts'
import { zhipuV4 } from './zhipu-v4/provider.ts'

/** All providers. To add one, import it and add it here (docs/adding-a-provider.md). */
export const providers: readonly Provider[] = [
  anthropic,
  gemini,
  openai,
  azure,
  openaimax,
  ohmygpt,
  custom,
  ails,
  aiproxy,
  api2gpt,
  aigc2d,
  ai360,
  openrouter,
  fastgpt,
  moonshot,
  zhipuV4,
  perplexity,
  lingyiwanwu,
  minimax,
  siliconflow,
  mistral,
  deepseek,
  volcengine,
  baiduV2,
  xinference,
  ownServer,
  xai,
  ali,
  baidu,
  zhipuV3,
  tencent,
  xunfei,
  dify,
  jina,
  mokaai,
  cohere,
  ollama,
  cloudflare,
  palm,
  bedrock,
  vertexAi,
  midjourney,
  midjourneyPlus,
  suno,
  kling,
  vidu,
  runway,
  luma,
]

export { type UnbuiltProvider, unbuiltProviders } from './unbuilt.ts'

/** Types at the top of the console's select, in this order. */
const firstInSelect: readonly number[] = [
  1, 2, 5, 36, 4, 14, 33, 41, 3, 34, 39, 43, 15, 46, 17, 18, 16, 26, 24, 11, 47, 25, 20, 19, 23, 31, 35, 37, 38, 40, 42,
  8, 22, 21, 44, 45, 48,
]

/** Types that the console does not offer for new channels; existing channels work. */
const notOffered: ReadonlySet<number> = new Set([6, 7, 9, 10, 12, 13, 27])

/** Channel types in the order of the console's select: `firstInSelect`, then all others in the order of `providers`. */
export const typesInSelectOrder: readonly number[] = [
  ...new Set([...firstInSelect, ...providers.map(({ type }) => type)].filter((type) => !notOffered.has(type))),
]

const byType: ReadonlyMap<number, Provider> = new Map(providers.map((provider) => [provider.type, provider]))
const unbuiltByType: ReadonlyMap<number, UnbuiltProvider> = new Map(
  unbuiltProviders.map((entry) => [entry.type, entry]),
)

/** The provider of a channel type; undefined for unknown types and for those that cannot be called. */
export const providerOf = (type: number): Provider | undefined => byType.get(type)

export const unbuiltProviderOf = (type: number): UnbuiltProvider | undefined => unbuiltByType.get(type)

/** Model → `owned_by`: the owner of the lowest type number that offers the model, so that a maker comes before its resellers. */
export const modelOwners: ReadonlyMap<string, string> = new Map(
  [...providers, ...unbuiltProviders]
    .toSorted((a, b) => b.type - a.type)
    .flatMap(({ models, owner }) => models.map((model) => [model, owner] as const)),
)
