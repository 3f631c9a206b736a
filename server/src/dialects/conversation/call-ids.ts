import { createHash } from 'node:crypto'

/** Shortens ids of tool calls and users for providers that limit them. The same id always gives the same result. */

const digest = (text: string, length: number): string =>
  createHash('sha256').update(text).digest('hex').slice(0, length)

const shortened = (text: string, limit: number, prefix: string): string =>
  text.length <= limit ? text : prefix + digest(text, 32)

/** OpenAI accepts call ids up to 40 characters in chat completions, 64 in responses. */
export const shortCallId = (id: string, limit: 40 | 64): string => shortened(id, limit, 'call_')

/** OpenAI accepts user ids up to 64 characters, Zhipu 128; Claude Code sends longer ones. */
export const shortUser = (user: string): string => shortened(user, 64, 'user_')

/** Anthropic accepts `^[a-zA-Z0-9_-]+$`; Kimi's ids look like `functions.weather:0`. */
export const plainCallId = (id: string): string => id.replaceAll(/[^a-zA-Z0-9_-]/g, '_')

/** Converse accepts the same, up to 64 characters (docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ToolUseBlock.html). */
export const bedrockCallId = (id: string): string => shortened(plainCallId(id), 64, 'call_')

/** Mistral accepts exactly nine letters or digits (mistralai.github.io/mistral-common/usage/tools). */
export const nineCharacters = (id: string): string => (/^[a-zA-Z0-9]{9}$/.test(id) ? id : digest(id, 9))
