import { anthropicDialect } from './anthropic/dialect.ts'
import type { Dialect } from './dialect.ts'
import { geminiDialect } from './gemini/dialect.ts'
import { openaiChatDialect } from './openai-chat/dialect.ts'
import { openaiResponsesDialect } from './openai-responses/dialect.ts'

/** The dialects that clients speak. A new one is a folder and a line here. */
export const dialects: readonly Dialect[] = [openaiChatDialect, openaiResponsesDialect, anthropicDialect, geminiDialect]
