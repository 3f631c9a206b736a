import makersByOrganisation from './organisations.json' with { type: 'json' }

/** Makers by the name of a family: a model's name begins with it, after prefixes of hosts and organisations. */
const families: readonly (readonly [maker: string, names: RegExp])[] = [
  [
    'OpenAI',
    /^(?:gpt-|gpt4|chatgpt|o[1-9](?:-|$)|dall-e|tts-|whisper|text-embedding-(?:3|ada)|text-moderation|omni-moderation|davinci|babbage|curie|ada(?:-|$)|text-(?:davinci|babbage|curie|ada)|codex|computer-use|sora)/,
  ],
  ['Anthropic', /^claude/],
  [
    'Google',
    /^(?:gemini|gemma|imagen|veo|palm|learnlm|lyria|nano-banana|aqa$|text-bison|chat-bison|codechat-bison|text-embedding-00|text-multilingual-embedding|textembedding-gecko|embedding-001)/,
  ],
  ['xAI', /^grok/],
  ['DeepSeek', /^(?:deepseek|janus)/],
  ['Alibaba', /^(?:qwen|qwq|qvq|wan(?:x?\d|-)|tongyi|text-embedding-v\d|gte-|cosyvoice|paraformer|z-image)/],
  ['ByteDance', /^(?:doubao|seed(?:ream|edit|ance|-)|skylark|sdxl-lightning|stable-diffusion-xl-lightning|ui-tars)/],
  ['Zhipu AI', /^(?:glm|zai-|chatglm|cogview|cogvideo|codegeex|charglm|embedding-[23]$)/],
  ['Moonshot AI', /^(?:moonshot|kimi)/],
  ['MiniMax', /^(?:minimax|abab|image-01|speech-0|speech-2|hailuo|music-0|m2-her)/],
  ['Baidu', /^(?:ernie|bloomz|embedding-v1|tao-8k|qianfan)/],
  ['Tencent', /^(?:hunyuan|hy[23](?:-|$))/],
  ['iFlytek', /^spark/],
  ['01.AI', /^yi-/],
  ['Baichuan', /^baichuan/],
  ['StepFun', /^step-/],
  ['Shanghai AI Laboratory', /^intern(?:lm|vl)/],
  ['360', /^(?:360gpt|embedding-bert-512|embedding_s1|semantic_similarity_s1)/],
  ['Moka', /^m3e/],
  ['BAAI', /^bge/],
  ['NetEase Youdao', /^bce-/],
  ['Kuaishou', /^(?:kolors|kling)/],
  ['Shengshu', /^vidu/],
  ['Runway', /^gen(?:3a|4)/],
  ['Luma', /^ray-/],
  ['Xiaomi', /^mimo/],
  ['Meituan', /^longcat/],
  ['Meta', /^(?:llama|llamaguard|codellama|code-llama|meta-llama)/],
  [
    'Mistral',
    /^(?:mistral|mixtral|open-mi[sx]tral|codestral|open-codestral|ministral|pixtral|magistral|devstral|voxtral|labs-)/,
  ],
  ['Cohere', /^(?:command|c4ai|aya|tiny-aya|embed-(?:v\d|english|multilingual)|rerank-(?:v\d|english|multilingual))/],
  ['Perplexity', /^(?:sonar|pplx|r1-1776)/],
  ['Jina AI', /^jina/],
  ['Voyage AI', /^(?:voyage|rerank-[12])/],
  ['Amazon', /^(?:nova-|titan)/],
  ['AI21', /^(?:jamba|j2-)/],
  ['NVIDIA', /^(?:nemotron|nv-embed)/],
  ['Microsoft', /^(?:phi-|wizardlm|mai-)/],
  ['IBM', /^granite/],
  ['Black Forest Labs', /^flux/],
  ['Stability AI', /^(?:stable-|sdxl|sd3)/],
  ['Leonardo', /^(?:lucid-origin|phoenix)/],
  ['InstantX', /^instantid/],
  ['Nous Research', /^(?:hermes|nous-hermes|openhermes)/],
  ['LMSYS', /^vicuna/],
  ['Hugging Face', /^(?:zephyr|smollm)/],
  ['Nexusflow', /^starling/],
  ['Intel', /^neural-chat/],
  ['OpenChat', /^openchat/],
  ['DiscoResearch', /^discolm/],
  ['TII', /^falcon/],
  ['TinyLlama', /^tinyllama/],
  ['Defog', /^sqlcoder/],
  ['Upstage', /^(?:solar-|una-cybertron)/],
  ['ElevenLabs', /^eleven_/],
  ['Midjourney', /^(?:mj_|swap_face|midjourney)/],
  ['Suno', /^(?:suno|chirp)/],
  ['Luma', /^ray-/],
  ['TwelveLabs', /^(?:pegasus|marengo)/],
  ['Writer', /^palmyra/],
]

/** Makers by the organisation before a slash, or on Bedrock before a dot. Hosts are not among them. */
const organisations: ReadonlyMap<string, string> = new Map(Object.entries(makersByOrganisation))

/** Providers of price lists that sell their own models, for names that show no maker. */
const sellers: ReadonlyMap<string, string> = new Map([
  ...['openai', 'anthropic', 'google', 'x-ai', 'deepseek', 'mistral', 'cohere', 'moonshotai', 'minimax', 'zai'].flatMap(
    (id): [string, string][] => {
      const maker = organisations.get(id)
      return maker === undefined ? [] : [[id, maker]]
    },
  ),
  ['zhipuai', 'Zhipu AI'],
  ['perplexity', 'Perplexity'],
  ['voyageai', 'Voyage AI'],
])

const longestName = 255

/** Organisations that a name states, the innermost first: `@cf/meta/…`, `us.meta.llama4-…`. */
const organisationsIn = (path: readonly string[], last: string): string[] => {
  const dotted = last.split('.')
  // A version has a dot, too: `gpt-4.1`.
  const stated = dotted.slice(0, -1).filter((part) => /^[a-z][a-z0-9]*$/.test(part))
  return [...stated.toReversed(), ...path.toReversed()]
}

const afterOrganisation = (last: string): string => {
  const [first = '', second = '', ...rest] = last.split('.')
  if (organisations.has(first)) return [second, ...rest].join('.')
  return organisations.has(second) ? rest.join('.') : last
}

/** Maker of a model by its name: OpenAI for `azure/gpt-5.5` and `@cf/openai/gpt-oss-20b`; undefined for unknown names. */
export const makerByName = (name: string): string | undefined => {
  if (name.length > longestName) return undefined
  const path = name.trim().toLowerCase().replace(/^ft:/, '').split('/')
  const last = path.pop() ?? ''
  for (const part of organisationsIn(path, last)) {
    const maker = organisations.get(part)
    if (maker !== undefined) return maker
  }
  const bare = afterOrganisation(last)
  return families.find(([, names]) => names.test(bare))?.[0]
}

/** Maker of models for which neither name nor price list shows one. */
const unknownMaker = 'custom'

/**
 * Maker of a model: by its name, or else by its provider in a price list, if that sells its own models; hosts do not count. `custom` for
 * unknown makers.
 */
export const makerOf = (model: string, sellerOf: (model: string) => string | undefined): string =>
  makerByName(model) ?? sellers.get(sellerOf(model) ?? '') ?? unknownMaker
