import type { ModelAbility, ModelInput } from '@tollgate/contract'

interface Family {
  readonly models: RegExp
  readonly takes?: readonly ModelInput[]
  readonly can?: readonly ModelAbility[]
}

/**
 * Facts of a family's chat models that makers document and price lists lack. Only documented generations are named; newer ones have no
 * claims. Lines add up.
 */
const families: readonly Family[] = [
  {
    models: /^(gpt-4o|chatgpt-4o|gpt-4\.1|gpt-5)(?!.*(audio|realtime|transcribe|tts|image|search))/,
    takes: ['image'],
    can: ['tools', 'structured'],
  },
  { models: /^gpt-4-turbo/, takes: ['image'], can: ['tools'] },
  { models: /^gpt-5(?!.*chat)/, can: ['thinking'] },
  { models: /^(o1|o3|o4)(?!-mini|-preview)/, takes: ['image'], can: ['tools', 'structured', 'thinking'] },
  { models: /^o4-mini/, takes: ['image'], can: ['tools', 'structured', 'thinking'] },
  { models: /^(o1-mini|o1-preview|o3-mini)/, can: ['thinking'] },
  { models: /^o3-mini/, can: ['tools', 'structured'] },
  { models: /^claude-(3|opus-[45]|sonnet-[45]|haiku-[45])/, takes: ['image', 'pdf'], can: ['tools'] },
  { models: /^claude-(3-7|opus-[45]|sonnet-[45]|haiku-[45])/, can: ['thinking'] },
  {
    models: /^gemini-(1\.5|2\.0|2\.5|3)(?!.*(embedding|image|tts|live|audio))/,
    takes: ['image', 'pdf', 'audio', 'video'],
    can: ['tools', 'structured'],
  },
  { models: /^gemini-(2\.5|3)(?!.*(embedding|image|tts|live|audio))/, can: ['thinking'] },
  { models: /^deepseek-(chat|v3|v4|reasoner)/, can: ['tools', 'structured'] },
  { models: /^deepseek-(reasoner|r1)/, can: ['thinking'] },
  { models: /^grok-(2-vision|4)/, takes: ['image'], can: ['tools', 'structured'] },
  { models: /^grok-(3-mini|4(?!.*non-reasoning))/, can: ['thinking'] },
  { models: /^(qwen[\w.-]*-vl|qvq|pixtral|llama-?4|glm-4\.[56]v|kimi-k2\.5)/, takes: ['image'] },
  { models: /^(qwq|qvq|magistral|kimi-k2-thinking)/, can: ['thinking'] },
  { models: /^(mistral-(large|medium|small)|codestral|devstral|kimi-k2|glm-4\.[567])/, can: ['tools'] },
]

/** Inputs of a chat model beside text, and its abilities, by its name. */
export const familyFacts = (id: string): { takes: readonly ModelInput[]; can: readonly ModelAbility[] } => {
  const fitting = families.filter(({ models }) => models.test(id))
  return {
    takes: fitting.flatMap(({ takes = [] }) => takes),
    can: fitting.flatMap(({ can = [] }) => can),
  }
}
