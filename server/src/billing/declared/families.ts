/** Makers that have tiers or tools with prices, by how the names of their models begin after prefixes of hosts and regions. */
const families: readonly (readonly [RegExp, string])[] = [
  [
    /^(?:gpt-|gpt4|chatgpt|o\d|codex|computer-use|davinci|babbage|dall-e|tts-|whisper|text-embedding-(?:3|ada)|sora)/,
    'openai',
  ],
  [/^claude/, 'anthropic'],
  [/^(?:gemini|gemma|imagen|veo|learnlm)/, 'google'],
  [/^grok/, 'xai'],
  [/^sonar/, 'perplexity'],
  [/^(?:qwen|qwq|qvq)/, 'alibaba'],
]

const hosts = /^(?:.*\/)?(?:(?:us|eu|ap|apac|jp|au|ca|sa|global|us-gov)\.)?/
const vendor = /^[a-z0-9]+\.(?=[a-z])/

/** The maker of a model as tables of tiers and tools know it; `other` for all that have none of their own. `*` at the end is ignored. */
export const familyOf = (model: string): string => {
  const id = model.toLowerCase().replace(hosts, '')
  const name = id.replace(vendor, '')
  for (const [pattern, family] of families) if (pattern.test(name)) return family
  return name === id ? 'other' : 'bedrock'
}

const stem = /^[a-z]+/

/** The maker of a model, or where no table knows one, how its name begins: `deepseek`, `glm`. */
export const makerOf = (model: string): string => {
  const family = familyOf(model)
  if (family !== 'other' && family !== 'bedrock') return family
  const [begin = ''] = stem.exec(model.toLowerCase().replace(hosts, '').replace(vendor, '')) ?? []
  return begin
}
