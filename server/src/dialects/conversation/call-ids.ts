import { createHash } from 'node:crypto'

/** Names of calls and of users, for providers that are choosy about them. A name is always changed in the same way. */

const digest = (text: string, length: number): string =>
  createHash('sha256').update(text).digest('hex').slice(0, length)

/** As it is where it is short enough. */
const shortened = (text: string, limit: number, prefix: string): string =>
  text.length <= limit ? text : prefix + digest(text, 32)

/** OpenAI takes 40 characters for a call in chat completions, 64 in responses. */
export const shortCallId = (id: string, limit: 40 | 64): string => shortened(id, limit, 'call_')

/** OpenAI takes 64 characters, Zhipu 128; Claude Code names its users with more. */
export const shortUser = (user: string): string => shortened(user, 64, 'user_')

/** Anthropic takes `^[a-zA-Z0-9_-]+$`; Kimi names calls `functions.weather:0`. */
export const plainCallId = (id: string): string => id.replaceAll(/[^a-zA-Z0-9_-]/g, '_')

/** Mistral takes nine letters or digits (mistralai.github.io/mistral-common/usage/tools). */
export const nineCharacters = (id: string): string => (/^[a-zA-Z0-9]{9}$/.test(id) ? id : digest(id, 9))
