export type Encoding = 'cl100k_base' | 'o200k_base'

/** Names may carry an owner (`openai/gpt-4o`) or belong to a fine-tuned model (`ft:gpt-4o:…`). */
const o200k = /^(?:.*\/)?(?:ft:)?(?:gpt-4o|chatgpt-4o|gpt-4\.1|gpt-4\.5|gpt-5|o1|o3|o4)/

/** The vocabulary of a model. Models of other makers are counted with cl100k. */
export const encodingOf = (model: string): Encoding => (o200k.test(model) ? 'o200k_base' : 'cl100k_base')
