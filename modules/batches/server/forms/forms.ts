import { anthropicForm } from './anthropic.ts'
import type { Batch, BatchForm } from './batch-form.ts'
import { geminiForm } from './gemini.ts'
import { openaiForm } from './openai.ts'

/** The forms of batches by their names. */
export const forms: Readonly<Record<Batch['form'], BatchForm>> = {
  openai: openaiForm,
  anthropic: anthropicForm,
  gemini: geminiForm,
}
