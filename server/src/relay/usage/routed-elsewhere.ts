import type { RelayCall } from '../call.ts'

/** Members of a body that name models beside `model`, of which one may answer: OpenRouter's and Vercel's `models`, Anthropic's `fallbacks`. */
const members = ['models', 'fallbacks', 'preset'] as const

/** Names that are no model but a choice among many, and have no price of their own: `openrouter/auto`, `@preset/…`. */
const router = /^~?openrouter\/|@preset\//i

export const isRouter = (model: string): boolean => router.test(model)

/** True where the request names other models that may answer. */
export const namesOthers = ({ body }: Pick<RelayCall, 'body'>): boolean =>
  members.some((name) => body[name] !== undefined && body[name] !== null)
